package dev.toolfleet.cli.tail;

import java.time.Instant;

import dev.toolfleet.bundle.Glob;
import dev.toolfleet.topic.Topic;
import org.jspecify.annotations.Nullable;

/// Options of `toolfleet tail`.
///
/// @param instance only of this instance; null for all
/// @param agent only of this agent; null for all
/// @param tool only of tools that it selects; null for all
/// @param limit how many records are printed at most
/// @param follow whether to go on when all that stands there is printed
/// @param json one object a line instead of text
public record TailOptions(What what, Start start, @Nullable String instance, @Nullable String agent,
        @Nullable Glob tool,
        long limit, boolean follow, boolean json) {

    /// Kind of records to follow.
    public enum What {
        /// Calls of agent runtimes.
        CALLS(Topic.CALL),
        /// Results, pending ones and duplicates too.
        RESULTS(Topic.RESULT),
        /// Error events.
        ERRORS(Topic.ERROR),
        /// Progress of calls.
        PROGRESS(Topic.PROGRESS),
        /// Catalogs of steps.
        CATALOG(Topic.CATALOG_STEP),
        /// Verdicts, decisions and operators' actions.
        AUDIT(Topic.AUDIT);

        private final Topic topic;

        What(Topic topic) {
            this.topic = topic;
        }

        /// Topic of the records.
        public Topic topic() {
            return topic;
        }
    }

    /// First record to show.
    public sealed interface Start {
        /// With what is written from now on.
        record Now() implements Start {}

        /// With the oldest that is still there.
        record Beginning() implements Start {}

        /// With what was written then or later.
        record Since(Instant time) implements Start {}
    }

    boolean means(Entry entry) {
        return (instance == null || instance.equals(entry.instance()))
                && (agent == null || agent.equals(entry.agent()))
                && (tool == null || entry.tools().stream().anyMatch(tool::matches));
    }
}
