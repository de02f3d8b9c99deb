package dev.toolfleet.worker.identity;

import dev.toolfleet.worker.assignment.Position;

/// Calls that the last owner of a partition may have had when it died (decision 55): unfinished approved calls, and the
/// oldest unfinished calls of `tool.call`, as many as that owner took in at most. All of them lay in the log when the
/// partition was taken over. Not thread-safe: [PartitionState] guards it.
///
/// **Contract.** The owner took its calls in by their offsets and kept those that were not committed within its limit. So
/// no call that it may have begun is missing, and the backlog behind is not suspected.
final class Suspects {
    private long callsEnd;
    private final long resumedEnd;
    private long left;
    private long offered = -1;

    /// @param callsEnd the offset behind the last call that the owner can have read
    /// @param resumedEnd the same of `tool.call.resumed`
    /// @param most how many unfinished calls of `tool.call` it can have had; 0 for any number
    Suspects(long callsEnd, long resumedEnd, int most) {
        this.callsEnd = callsEnd;
        this.resumedEnd = resumedEnd;
        this.left = most == 0 ? Long.MAX_VALUE : most;
    }

    /// No call is suspected.
    static Suspects none() {
        return new Suspects(0, 0, 0);
    }

    /// An unfinished record is offered to its lane, and cannot start before. Those of `tool.call` come in their order, each
    /// perhaps several times. One that has its result is none of them, although the group's offset lies below it. Otherwise:
    /// the offsets were set back, and answered records take the places of those that the owner had.
    void offered(Position position) {
        if (position.source() != Position.Source.CALLS || position.offset() <= offered
                || position.offset() >= callsEnd)
            return;
        offered = position.offset();
        if (--left == 0)
            callsEnd = offered + 1;
    }

    /// Whether the owner may have had it.
    boolean contains(Position position) {
        return position.offset() < switch (position.source()) {
            case CALLS -> callsEnd;
            case RESUMED -> resumedEnd;
        };
    }
}
