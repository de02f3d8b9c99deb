package dev.toolfleet.tool;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/// What a handler answers: a value, or a handle under which the work goes on elsewhere.
public sealed interface ToolOutput {
    /// A finished answer. The fleet turns it into JSON; what cannot be turned becomes `E_TOOL_RESULT_INVALID`.
    ///
    /// @param value a JSON tree, record, map, list, text, number, boolean or null
    record Value(@Nullable Object value) implements ToolOutput {}

    /// The work goes on elsewhere; a completion by the handle ends the call.
    ///
    /// @param handle unguessable, from [ToolContext#newHandle], or the other system's own unique id
    /// @param output what the caller sees until then
    /// @param heartbeatTimeout how long the work may stay silent; null takes the export's
    /// @param token what a completion must carry to be believed; null for none
    record Pending(String handle, @Nullable Object output, @Nullable Duration heartbeatTimeout,
            @Nullable String token) implements ToolOutput {
        /// The same, but work that is silent for longer than this has expired.
        public Pending silentAtMost(Duration timeout) {
            return new Pending(handle, output, timeout, token);
        }

        /// The same, but only completions with this token are believed. Only its hash is kept.
        public Pending demanding(String secret) {
            return new Pending(handle, output, heartbeatTimeout, secret);
        }
    }

    /// A finished answer; a [ToolOutput] is taken as it is.
    static ToolOutput of(@Nullable Object value) {
        return value instanceof ToolOutput output ? output : new Value(value);
    }

    /// The work goes on elsewhere.
    static Pending pending(String handle, @Nullable Object output) {
        return new Pending(handle, output, null, null);
    }
}
