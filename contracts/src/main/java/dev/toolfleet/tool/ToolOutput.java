package dev.toolfleet.tool;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/// Answer of a handler: a value, or a handle of work elsewhere.
public sealed interface ToolOutput {
    /// A finished answer. The fleet turns it into JSON; a value that cannot become JSON ends the call with
    /// `E_TOOL_RESULT_INVALID`.
    ///
    /// @param value a JSON tree, record, map, list, text, number, boolean or null
    record Value(@Nullable Object value) implements ToolOutput {}

    /// The work goes on elsewhere; a completion for the handle ends the call.
    ///
    /// @param handle unguessable, from [ToolContext#newHandle], or the other system's own unique id
    /// @param output the caller's output until then
    /// @param heartbeatTimeout the longest silence of the work; null takes the export's
    /// @param token a completion counts only with it; null for none
    record Pending(String handle, @Nullable Object output, @Nullable Duration heartbeatTimeout,
            @Nullable String token) implements ToolOutput {
        /// Returns the same; work that is silent for longer than this expires.
        public Pending silentAtMost(Duration timeout) {
            return new Pending(handle, output, timeout, token);
        }

        /// Returns the same; only completions with this token count. Only its hash is kept.
        public Pending demanding(String secret) {
            return new Pending(handle, output, heartbeatTimeout, secret);
        }
    }

    /// Makes a finished answer; a [ToolOutput] is taken unchanged.
    static ToolOutput of(@Nullable Object value) {
        return value instanceof ToolOutput output ? output : new Value(value);
    }

    /// Makes an answer whose work goes on elsewhere.
    static Pending pending(String handle, @Nullable Object output) {
        return new Pending(handle, output, null, null);
    }
}
