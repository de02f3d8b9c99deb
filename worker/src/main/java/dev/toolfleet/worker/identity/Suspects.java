package dev.toolfleet.worker.identity;

import dev.toolfleet.wire.PartitionOwner;
import dev.toolfleet.worker.assignment.Position;
import org.jspecify.annotations.Nullable;

import static java.util.Objects.requireNonNullElse;

/// Calls that the last owner of a partition may have had when it died (`docs/decisions/0055`): unfinished approved
/// calls, and the oldest unfinished calls of `tool.call`, up to the limit of that owner. All of them lay in the log
/// when the partition was taken over. Thread-safe; no method waits.
///
/// **Contract.** The owner took its calls in by their offsets and kept its uncommitted calls within its limit. So no
/// call that it may have begun is missing, and the backlog behind is not suspected.
public final class Suspects {
    private @Nullable PartitionOwner dead;
    private long callsEnd;
    private long resumedEnd;
    private long left = Long.MAX_VALUE;
    private long offered = -1;

    Suspects() {}

    /// Restores an earlier owner that died with calls in flight; before the partition's first call.
    ///
    /// @param owner its entry, with the offsets behind the last records that it can have read
    public synchronized void restore(PartitionOwner owner) {
        dead = owner;
        callsEnd = requireNonNullElse(owner.callsEnd(), 0L);
        resumedEnd = requireNonNullElse(owner.resumedEnd(), 0L);
        left = owner.maxInFlight() == 0 ? Long.MAX_VALUE : owner.maxInFlight();
    }

    /// Returns the owner that was found dead; null if there is none.
    public synchronized @Nullable PartitionOwner deadOwner() {
        return dead;
    }

    /// Notes that an unfinished record is offered to its lane; it cannot start before. Records of `tool.call` come in
    /// their order, each perhaps several times. A record with a result does not count, even if the group's offset lies
    /// below it. Otherwise: the offsets were set back, and answered records take the places of those that the owner
    /// had.
    synchronized void offered(Position position) {
        if (position.source() != Position.Source.CALLS || position.offset() <= offered
                || position.offset() >= callsEnd)
            return;
        offered = position.offset();
        if (--left == 0)
            callsEnd = offered + 1;
    }

    /// True if the owner may have had the record.
    public synchronized boolean contains(Position position) {
        return position.offset() < switch (position.source()) {
            case CALLS -> callsEnd;
            case RESUMED -> resumedEnd;
        };
    }
}
