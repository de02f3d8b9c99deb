package dev.toolfleet.cli.errors;

import java.time.Instant;
import java.util.Objects;

import dev.toolfleet.bundle.Glob;
import dev.toolfleet.wire.ToolErrorEvent;
import org.jspecify.annotations.Nullable;

/// Which errors are counted, and by what.
///
/// @param since errors that occurred then or later
/// @param until errors that occurred before; null for all, also those of workers whose clocks are ahead of ours
/// @param tool of tools that it selects; null for all
/// @param agent of this agent; null for all
/// @param code with this code; null for all but notices
/// @param instance of this instance; null for all
public record ErrorQuery(By by, Instant since, @Nullable Instant until, @Nullable Glob tool, @Nullable String agent,
        @Nullable String code, @Nullable String instance) {

    /// Field by which errors are grouped.
    public enum By {
        /// Their code.
        CODE("code"),
        /// The tool that was called.
        TOOL("tool"),
        /// The agent whose model called.
        AGENT("agent");

        private final String text;

        By(String text) {
            this.text = text;
        }

        /// As tables and JSON say it.
        public String text() {
            return text;
        }

        String of(ErrorFacts error) {
            return switch (this) {
                case CODE -> error.code();
                case TOOL -> error.tool();
                case AGENT -> error.agent();
            };
        }
    }

    /// A notice is no error, and counts only in a query for its code.
    boolean passesOver(ErrorFacts error) {
        return code == null && error.code().equals(ToolErrorEvent.DIGEST_MISMATCH);
    }

    boolean means(ErrorFacts error) {
        return !error.at().isBefore(since) && (until == null || error.at().isBefore(until))
                && (tool == null || tool.matches(error.tool())) && (agent == null || agent.equals(error.agent()))
                && (code == null || code.equalsIgnoreCase(error.code()))
                && (instance == null || Objects.equals(instance, error.instanceKey()));
    }
}
