package dev.toolfleet.worker.poll;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

import dev.toolfleet.worker.commit.DoneOffsets;
import dev.toolfleet.worker.telemetry.LoadMeters;
import dev.toolfleet.worker.telemetry.WorkerMeters;
import io.micrometer.core.instrument.Meter;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.jspecify.annotations.Nullable;

/// Watch over the assigned partitions of `tool.call`: measures how far each is, as gauges while it is assigned, and how
/// long partitions take to come and go.
///
/// **Threads.** The poll thread reports assignments and reads, the transaction loop reports commits, any thread reads.
final class PartitionWatch implements Intake.Watch {
    private final WorkerMeters meters;
    private final LongSupplier nanos;
    /// Beginnings of take-overs, by partition; the poll thread's own.
    private final Map<Integer, Long> begun = new HashMap<>();
    /// The beginning of a revocation that has closed no partition yet; the poll thread's own.
    private @Nullable Long revoking;
    private final Map<Integer, Watched> partitions = new ConcurrentHashMap<>();

    PartitionWatch(WorkerMeters meters, LongSupplier nanos) {
        this.meters = meters;
        this.nanos = nanos;
    }

    /// One assignment.
    private static final class Watched {
        private final long epoch;
        private final long start;
        private volatile long seen;
        private final AtomicLong calls = new AtomicLong();
        private volatile OffsetAndMetadata committed;
        private final List<Meter> gauges = new ArrayList<>();

        Watched(long epoch, DoneOffsets start) {
            this.epoch = epoch;
            this.start = start.frontier();
            this.seen = start.frontier();
            this.committed = new OffsetAndMetadata(start.frontier(), start.encode());
        }

        double reach() {
            OffsetAndMetadata last = committed;
            return DoneOffsets.decode(last.offset(), last.metadata()).reach();
        }
    }

    /// A take-over begins.
    void begins(int partition) {
        begun.put(partition, nanos.getAsLong());
    }

    /// The take-over is no longer wanted.
    void cancelled(int partition) {
        begun.remove(partition);
    }

    @Override
    public void opened(int partition, long epoch, TakeOver.Restored from) {
        opened(partition, epoch, from.start());
        from.found().forEach(each -> meters.load().discrepancy(each.kind().label()));
    }

    @Override
    public void tookOver(int partition) {
        Long since = begun.remove(partition);
        if (since != null)
            meters.load().tookOver(nanos.getAsLong() - since);
    }

    @Override
    public void revoking() {
        revoking = nanos.getAsLong();
    }

    @Override
    public void closing(boolean lost) {
        Long since = revoking;
        revoking = null;
        if (since != null && !lost)
            meters.load().revoked(nanos.getAsLong() - since);
    }

    void opened(int partition, long epoch, DoneOffsets start) {
        closed(partition);
        Watched watched = new Watched(epoch, start);
        String number = Integer.toString(partition);
        gauge(watched, LoadMeters.OFFSET_SEEN, "the offset that is read next", number, () -> watched.seen);
        gauge(watched, LoadMeters.OFFSET_FINISHED, "behind the highest call whose end is committed", number,
                watched::reach);
        gauge(watched, LoadMeters.OFFSET_COMMITTED, "the committed offset", number, () -> watched.committed.offset());
        gauge(watched, LoadMeters.METADATA, "used characters of the commit metadata", number,
                () -> watched.committed.metadata().length());
        partitions.put(partition, watched);
    }

    private void gauge(Watched watched, String name, String what, String number, Supplier<Number> value) {
        watched.gauges.add(meters.gauge(name, what, LoadMeters.PARTITION, number, value));
    }

    @Override
    public void tracked(int partition, long epoch, int calls, long next) {
        meters.calls().received(calls);
        Watched watched = of(partition, epoch);
        if (watched == null)
            return;
        watched.calls.addAndGet(calls);
        watched.seen = next;
    }

    /// Calls were committed. On the transaction loop's thread.
    void committed(int partition, long epoch, OffsetAndMetadata offset) {
        Watched watched = of(partition, epoch);
        if (watched != null)
            watched.committed = offset;
    }

    @Override
    public void closed(int partition, long epoch) {
        if (of(partition, epoch) != null)
            closed(partition);
    }

    private void closed(int partition) {
        Watched gone = partitions.remove(partition);
        if (gone != null)
            gone.gauges.forEach(meters::remove);
    }

    private @Nullable Watched of(int partition, long epoch) {
        Watched watched = partitions.get(partition);
        return watched != null && watched.epoch == epoch ? watched : null;
    }

    /// The offset that is read next; -1 for an assignment that has ended.
    long seen(int partition, long epoch) {
        Watched watched = of(partition, epoch);
        return watched == null ? -1 : watched.seen;
    }

    /// Calls for each offset, by the reads so far: transaction markers and compacted records take offsets and are no calls.
    /// 1 before the first read.
    double callsPerOffset(int partition, long epoch) {
        Watched watched = of(partition, epoch);
        if (watched == null || watched.seen == watched.start)
            return 1;
        return Math.min(1, (double) watched.calls.get() / (watched.seen - watched.start));
    }
}
