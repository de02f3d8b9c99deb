package dev.toolfleet.worker.commit;

import dev.toolfleet.worker.assignment.Position;
import dev.toolfleet.worker.assignment.Position.Source;

/// Entry of a transaction that belongs to one call.
sealed interface CommitEntry permits Outcome, JournalNote {
    /// Returns the position of the call.
    Position position();

    /// Size of the entry's records.
    long bytes();

    /// True if the call is of that topic.
    default boolean isOf(Source source) {
        return position().source() == source;
    }
}
