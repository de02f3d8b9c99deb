package dev.toolfleet.worker.poll;

import dev.toolfleet.worker.commit.Incarnation;
import dev.toolfleet.worker.commit.PartitionListener;

/// Command of another thread to the poll thread.
sealed interface PollCommand {
    /// A take-over is complete: the partition may start.
    record Adopt(int partition, long epoch, TakeOver.Restored restored) implements PollCommand {}

    /// The partition is held for a reason, or no longer.
    record Hold(int partition, long epoch, PartitionListener.Hold why, boolean on) implements PollCommand {}

    /// The assignment was taken over from another log than it reads: it has to be taken over anew.
    record Renew(int partition, long epoch) implements PollCommand {}

    /// The topics of calls now have these logs.
    record Logs(Incarnation now) implements PollCommand {}

    /// No new call must start.
    record Drain() implements PollCommand {}
}
