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
    /// @param target the party that does the work, for people and models; null for none
    record Pending(String handle, @Nullable Object output, @Nullable Duration heartbeatTimeout,
            @Nullable String token, @Nullable String target) implements ToolOutput {
        /// The longest target, in UTF-16 units; a longer one is cut.
        public static final int MAX_TARGET = 256;

        /// Makes an answer without a target.
        public Pending(String handle, @Nullable Object output, @Nullable Duration heartbeatTimeout,
                @Nullable String token) {
            this(handle, output, heartbeatTimeout, token, null);
        }

        /// Returns the same; work that is silent for longer than this expires.
        public Pending silentAtMost(Duration timeout) {
            return new Pending(handle, output, timeout, token, target);
        }

        /// Returns the same; only completions with this token count. Only its hash is kept.
        public Pending demanding(String secret) {
            return new Pending(handle, output, heartbeatTimeout, secret, target);
        }

        /// Returns the same with the party that does the work: a queue, a machine, an agent. Lists of open handles show it,
        /// and the error of a wait that expires names it. At most [#MAX_TARGET] characters are kept.
        public Pending waitingFor(String party) {
            return new Pending(handle, output, heartbeatTimeout, token, party);
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
