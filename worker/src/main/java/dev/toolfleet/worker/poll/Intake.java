package dev.toolfleet.worker.poll;

import java.util.Map;
import java.util.concurrent.CompletableFuture;

import dev.toolfleet.wire.CallIntent;
import dev.toolfleet.worker.assignment.Position.Source;
import dev.toolfleet.worker.commit.Offsets;
import dev.toolfleet.worker.commit.TransactionLoop;
import dev.toolfleet.worker.execute.RunningHandlers;
import dev.toolfleet.worker.identity.Arrival;
import dev.toolfleet.worker.identity.PartitionState;
import dev.toolfleet.worker.identity.PartitionStates;
import dev.toolfleet.worker.lane.Lanes;
import dev.toolfleet.worker.override.PendingCancels;
import dev.toolfleet.worker.recovery.OwnerJournal;

/// Listener of a worker's poll loop: opens and closes the worker's parts with each assignment, and takes calls into the
/// lanes.
///
/// **Threads.** The poll thread alone.
///
/// @param following follows the topics that a partition's calls need
/// @param resumed reads outcomes and approvals of its pending calls
/// @param cancels cancels handles of cancelled calls
/// @param owners journals the owner of each partition
/// @param watch measures
record Intake(Lanes lanes, TransactionLoop transactions, RunningHandlers handlers, PartitionStates states,
        Following following, ResumedLoop resumed, PendingCancels cancels,
        OwnerJournal owners, Watch watch) implements PollListener {
    /// Follows the topics that the calls of an assigned partition need.
    interface Following {
        /// A take-over is complete.
        ///
        /// @param open intents that earlier owners left
        void opened(int partition, Map<String, CallIntent> open);

        /// The assignment is over.
        void closed(int partition);
    }

    /// Measures calls that are read, and how long partitions take to come and go.
    interface Watch {
        /// Measures nothing.
        Watch NONE = new Watch() {
        };

        /// The partition starts. Comes before its first commit.
        default void opened(int partition, long epoch, TakeOver.Restored from) {}

        /// The partition has started.
        default void tookOver(int partition) {}

        /// Calls were read.
        ///
        /// @param next the position after what was read
        default void tracked(int partition, long epoch, int calls, long next) {}

        /// A revocation begins; comes once, before its first partition is closed.
        default void revoking() {}

        /// An assignment is about to be closed.
        default void closing(boolean lost) {}

        /// An assignment has been closed.
        default void closed(int partition, long epoch) {}
    }

    @Override
    public void opened(int partition, long epoch, TakeOver.Restored from) {
        watch.opened(partition, epoch, from);
        states.opened(partition, epoch, from.state());
        cancels.opened(from.state());
        following.opened(partition, from.state().open());
        transactions.opened(partition, epoch, from.from());
        from.state().ownedOnce(owners.begins(partition, epoch, from.state().suspects().deadOwner()));
        resumed.opened(partition, epoch, from.resumed());
        watch.tookOver(partition);
    }

    @Override
    public void read(int partition, long epoch, long first, long appendedAt) {
        PartitionState state = states.of(partition, epoch);
        if (state != null)
            state.read(first, appendedAt);
    }

    @Override
    public void tracked(int partition, long epoch, Offsets offsets, long next) {
        watch.tracked(partition, epoch, offsets.count(), next);
        transactions.tracked(Source.CALLS, partition, epoch, offsets, next);
    }

    @Override
    public boolean offer(Arrival arrival) {
        return states.offer(arrival, lanes::offer);
    }

    @Override
    public void stopStarting(int partition, long epoch) {
        lanes.drop(partition, epoch);
    }

    @Override
    public void moving(int partition, long epoch) {
        handlers.moving(partition, epoch);
    }

    @Override
    public void ends(int partition, long epoch) {
        PartitionState state = states.of(partition, epoch);
        owners.ends(partition, epoch, state == null ? null : state.suspects().deadOwner());
    }

    @Override
    public void closed(int partition, long epoch, boolean lost) {
        watch.closing(lost);
        lanes.drop(partition, epoch);
        if (lost) {
            handlers.lose(partition, epoch);
        } else {
            handlers.revoke(partition, epoch);
        }
        resumed.closed(partition, epoch);
        transactions.closed(partition, epoch);
        states.closed(partition, epoch);
        following.closed(partition);
        watch.closed(partition, epoch);
    }

    @Override
    public CompletableFuture<Void> silent() {
        return transactions.handled();
    }

    @Override
    public CompletableFuture<Void> committed() {
        watch.revoking();
        return transactions.flush();
    }
}
