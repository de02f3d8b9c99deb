package dev.toolfleet.cli.explain;

import java.util.stream.Collectors;

/// Words for a partition that its worker does not read. Pure. A reason that a later version adds is shown as it is.
public final class HoldText {
    private HoldText() {}

    static String text(CallSnapshot.Held held) {
        String worker = "worker " + held.worker();
        String why = held.reasons().stream().map(HoldText::reason).collect(Collectors.joining("; "));
        return held.isQuarantined()
                ? "waits because its partition " + held.partition() + " is quarantined on " + worker + ": " + why
                : "was not taken in yet, because its partition " + held.partition() + " is held on " + worker + ": "
                        + why;
    }

    /// Returns the clause for a reason in the words of `toolfleet.partitions.held`.
    public static String reason(String word) {
        return switch (word) {
            case "quarantined" -> "a topic that its calls write to cannot be written";
            case "metadata_full" -> "too many calls have finished beyond one that has not";
            case "unexpected" -> "the fleet was created with fewer partitions";
            case "unreadable" -> "a record of tool.call is corrupt";
            case "lane_full" -> "one instance has worker.lane.maxQueued calls in its queue";
            case "worker_full" -> "the worker, or the partition's share of worker.maxInFlight, is full";
            case "earlier_owner" -> "a call that an earlier owner began comes first";
            case "taking_over" -> "it is being taken over, which takes seconds";
            default -> word;
        };
    }

    static String next(CallSnapshot.Held held) {
        if (held.isQuarantined())
            return "see which topic has no leader or too few replicas in sync; the worker's log names it (partition"
                    + " quarantined), and the partition comes back by itself";
        if (held.reasons().contains("unreadable"))
            return "see the worker's log (partition held: a record cannot be read), which names the record";
        return (held.reasons().contains("unexpected") ? "" : "ask again; if it stays so, ")
                + "look at /health/ready of "
                + held.worker();
    }
}
