package dev.toolfleet.worker.app;

import java.util.concurrent.CompletableFuture;

import dev.toolfleet.worker.commit.DoneOffsets;
import dev.toolfleet.worker.commit.Offsets;
import dev.toolfleet.worker.commit.TransactionLoop;
import dev.toolfleet.worker.execute.RunningHandlers;
import dev.toolfleet.worker.identity.Arrival;
import dev.toolfleet.worker.identity.PartitionState;
import dev.toolfleet.worker.identity.PartitionStates;
import dev.toolfleet.worker.lane.Lanes;
import dev.toolfleet.worker.poll.PollLoop;

/// What the poll loop feeds: lanes, transactions, handlers, and what is known of each partition.
///
/// @param topics follows what a partition's calls need to know
record Engine(Lanes lanes, TransactionLoop transactions, RunningHandlers handlers, PartitionStates states,
        PartitionTopics topics) implements PollLoop.Engine {
    @Override
    public void opened(int partition, long epoch, DoneOffsets start, PartitionState state) {
        states.opened(partition, epoch, state);
        topics.opened(partition, state.open());
        transactions.opened(partition, epoch, start);
    }

    @Override
    public void read(int partition, long epoch, long first, long appendedAt) {
        PartitionState state = states.of(partition, epoch);
        if (state != null)
            state.read(first, appendedAt);
    }

    @Override
    public void tracked(int partition, long epoch, Offsets offsets, long next) {
        transactions.tracked(partition, epoch, offsets, next);
    }

    @Override
    public boolean offer(Arrival arrival) {
        return lanes.offer(arrival);
    }

    @Override
    public void stopStarting(int partition, long epoch) {
        lanes.drop(partition, epoch);
    }

    @Override
    public void closed(int partition, long epoch, boolean lost) {
        lanes.drop(partition, epoch);
        if (lost) {
            handlers.lose(partition, epoch);
        } else {
            handlers.revoke(partition, epoch);
        }
        transactions.closed(partition, epoch);
        states.closed(partition, epoch);
        topics.closed(partition);
    }

    @Override
    public CompletableFuture<Void> committed() {
        return transactions.flush();
    }
}
