package dev.toolfleet.worker.identity;

import dev.toolfleet.wire.PartitionOwner;
import dev.toolfleet.worker.assignment.Position;
import org.jspecify.annotations.Nullable;

import static java.util.Objects.requireNonNullElse;

/// Calls that the last owner of a partition may have had when it died (`docs/decisions/0055`): unfinished approved
/// calls, and the oldest unfinished calls of `tool.call`, up to the limit of that owner. All of them lay in the log
/// when the partition was taken over. Not thread-safe: [PartitionState] guards it.
///
/// **Contract.** The owner took its calls in by their offsets and kept its uncommitted calls within its limit. So no
/// call that it may have begun is missing, and the backlog behind is not suspected.
final class Suspects {
    private final @Nullable PartitionOwner dead;
    private long callsEnd;
    private final long resumedEnd;
    private long left;
    private long offered = -1;

    /// @param dead the owner, with the offsets behind the last records that it can have read; null for none
    Suspects(@Nullable PartitionOwner dead) {
        this.dead = dead;
        this.callsEnd = dead == null ? 0 : requireNonNullElse(dead.callsEnd(), 0L);
        this.resumedEnd = dead == null ? 0 : requireNonNullElse(dead.resumedEnd(), 0L);
        this.left = dead == null || dead.maxInFlight() == 0 ? Long.MAX_VALUE : dead.maxInFlight();
    }

    /// Suspects no call.
    static Suspects none() {
        return new Suspects(null);
    }

    @Nullable
    PartitionOwner deadOwner() {
        return dead;
    }

    /// Notes that an unfinished record is offered to its lane; it cannot start before. Records of `tool.call` come in
    /// their order, each perhaps several times. A record with a result does not count, even if the group's offset lies
    /// below it. Otherwise: the offsets were set back, and answered records take the places of those that the owner
    /// had.
    void offered(Position position) {
        if (position.source() != Position.Source.CALLS || position.offset() <= offered
                || position.offset() >= callsEnd)
            return;
        offered = position.offset();
        if (--left == 0)
            callsEnd = offered + 1;
    }

    /// True if the owner may have had the record.
    boolean contains(Position position) {
        return position.offset() < switch (position.source()) {
            case CALLS -> callsEnd;
            case RESUMED -> resumedEnd;
        };
    }
}
