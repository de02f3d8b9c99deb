package dev.toolfleet.worker.simulation;

import java.util.concurrent.CompletableFuture;

import dev.toolfleet.worker.commit.Offsets;
import dev.toolfleet.worker.identity.Arrival;
import dev.toolfleet.worker.poll.PollListener;
import dev.toolfleet.worker.poll.TakeOver;

/// An engine that does what the worker's does; a subclass changes or notes some of it.
abstract class ForwardingEngine implements PollListener {
    private final PollListener engine;

    ForwardingEngine(PollListener engine) {
        this.engine = engine;
    }

    @Override
    public void opened(int partition, long epoch, TakeOver.Restored from) {
        engine.opened(partition, epoch, from);
    }

    @Override
    public void read(int partition, long epoch, long first, long appendedAt) {
        engine.read(partition, epoch, first, appendedAt);
    }

    @Override
    public void tracked(int partition, long epoch, Offsets offsets, long next) {
        engine.tracked(partition, epoch, offsets, next);
    }

    @Override
    public boolean offer(Arrival arrival) {
        return engine.offer(arrival);
    }

    @Override
    public void stopStarting(int partition, long epoch) {
        engine.stopStarting(partition, epoch);
    }

    @Override
    public void moving(int partition, long epoch) {
        engine.moving(partition, epoch);
    }

    @Override
    public void ends(int partition, long epoch) {
        engine.ends(partition, epoch);
    }

    @Override
    public void closed(int partition, long epoch, boolean lost) {
        engine.closed(partition, epoch, lost);
    }

    @Override
    public CompletableFuture<Void> committed() {
        return engine.committed();
    }

    @Override
    public CompletableFuture<Void> silent() {
        return engine.silent();
    }
}
