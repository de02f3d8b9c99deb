package dev.toolfleet.worker.app;

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
import dev.toolfleet.worker.poll.PollLoop;
import dev.toolfleet.worker.poll.ResumedLoop;
import dev.toolfleet.worker.poll.TakeOver;
import dev.toolfleet.worker.recovery.OwnerJournal;

/// What the poll loop feeds: lanes, transactions, handlers, and what is known of each partition.
///
/// @param following follows what a partition's calls need to know
/// @param resumed reads what comes for its pending calls
/// @param cancels cancels handles of cancelled calls
/// @param owners journals who owns each partition
record Engine(Lanes lanes, TransactionLoop transactions, RunningHandlers handlers, PartitionStates states,
        Following following, ResumedLoop resumed, PendingCancels cancels,
        OwnerJournal owners) implements PollLoop.Engine {
    /// Follows what the calls of an assigned partition need to know.
    interface Following {
        /// A take-over is complete.
        ///
        /// @param open intents that earlier owners left
        void opened(int partition, Map<String, CallIntent> open);

        /// The assignment is over.
        void closed(int partition);
    }

    @Override
    public void opened(int partition, long epoch, TakeOver.Restored from) {
        states.opened(partition, epoch, from.state());
        cancels.opened(from.state());
        following.opened(partition, from.state().open());
        transactions.opened(partition, epoch, from.from());
        from.state().ownedOnce(owners.begins(partition, epoch, from.state().deadOwner()));
        resumed.opened(partition, epoch, from.resumed());
    }

    @Override
    public void read(int partition, long epoch, long first, long appendedAt) {
        PartitionState state = states.of(partition, epoch);
        if (state != null)
            state.read(first, appendedAt);
    }

    @Override
    public void tracked(int partition, long epoch, Offsets offsets, long next) {
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
        owners.ends(partition, epoch, state == null ? null : state.deadOwner());
    }

    @Override
    public void closed(int partition, long epoch, boolean lost) {
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
    }

    @Override
    public CompletableFuture<Void> silent() {
        return transactions.handled();
    }

    @Override
    public CompletableFuture<Void> committed() {
        return transactions.flush();
    }
}
