package dev.toolfleet.worker.poll;

import dev.toolfleet.worker.commit.Incarnation;
import dev.toolfleet.worker.commit.PartitionListener;

/// What others ask of the poll thread.
sealed interface PollCommand {
    /// A take-over is complete: the partition may start.
    record Adopt(int partition, long epoch, TakeOver.Restored restored) implements PollCommand {}

    /// The partition is held for a reason, or no longer.
    record Hold(int partition, long epoch, PartitionListener.Hold why, boolean on) implements PollCommand {}

    /// The assignment reads another log than it was taken over from: it has to be taken over anew.
    record Renew(int partition, long epoch) implements PollCommand {}

    /// The topics of calls are these logs now.
    record Logs(Incarnation now) implements PollCommand {}

    /// No new call is to start.
    record Drain() implements PollCommand {}
}
