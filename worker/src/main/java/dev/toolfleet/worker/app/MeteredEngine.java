package dev.toolfleet.worker.app;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;

import dev.toolfleet.worker.commit.Offsets;
import dev.toolfleet.worker.identity.Arrival;
import dev.toolfleet.worker.poll.PollLoop;
import dev.toolfleet.worker.poll.TakeOver;
import dev.toolfleet.worker.telemetry.Meters;

/// Measures what the poll loop does, and passes it on: calls read, and how long partitions take to come and go. Owned by
/// the poll thread.
final class MeteredEngine implements PollLoop.Engine, PollLoop.TakeOvers {
    private final PollLoop.Engine engine;
    private final PollLoop.TakeOvers takeOvers;
    private final PartitionWatch partitions;
    private final Meters meters;
    private final LongSupplier nanos;
    private final Map<Integer, Long> begun = new HashMap<>();
    private long revoking;
    private boolean revokes;

    MeteredEngine(PollLoop.Engine engine, PollLoop.TakeOvers takeOvers, PartitionWatch partitions, Meters meters,
            LongSupplier nanos) {
        this.engine = engine;
        this.takeOvers = takeOvers;
        this.partitions = partitions;
        this.meters = meters;
        this.nanos = nanos;
    }

    @Override
    public void begin(int partition, long epoch) {
        begun.put(partition, nanos.getAsLong());
        takeOvers.begin(partition, epoch);
    }

    @Override
    public void cancel(int partition, long epoch) {
        begun.remove(partition);
        takeOvers.cancel(partition, epoch);
    }

    @Override
    public void opened(int partition, long epoch, TakeOver.Restored from) {
        partitions.opened(partition, epoch, from.start());
        engine.opened(partition, epoch, from);
        from.found().forEach(each -> meters.load().discrepancy(each.kind().label()));
        Long since = begun.remove(partition);
        if (since != null)
            meters.load().tookOver(nanos.getAsLong() - since);
    }

    @Override
    public void read(int partition, long epoch, long first, long appendedAt) {
        engine.read(partition, epoch, first, appendedAt);
    }

    @Override
    public void tracked(int partition, long epoch, Offsets offsets, long next) {
        meters.calls().received(offsets.count());
        partitions.read(partition, epoch, offsets.count(), next);
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
        if (revokes && !lost)
            meters.load().revoked(nanos.getAsLong() - revoking);
        revokes = false;
        engine.closed(partition, epoch, lost);
        partitions.closed(partition, epoch);
    }

    /// Asked once in a revocation, before its first partition is closed.
    @Override
    public CompletableFuture<Void> committed() {
        revoking = nanos.getAsLong();
        revokes = true;
        return engine.committed();
    }

    @Override
    public CompletableFuture<Void> silent() {
        return engine.silent();
    }
}
