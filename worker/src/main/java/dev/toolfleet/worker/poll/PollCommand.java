package dev.toolfleet.worker.poll;

import dev.toolfleet.worker.commit.PartitionListener;

/// What others ask of the poll thread.
sealed interface PollCommand {
    /// A take-over is complete: the partition may start.
    record Adopt(int partition, long epoch, TakeOver.Restored restored) implements PollCommand {}

    /// The partition is held for a reason, or no longer.
    record Hold(int partition, long epoch, PartitionListener.Hold why, boolean on) implements PollCommand {}

    /// No new call is to start.
    record Drain() implements PollCommand {}
}
