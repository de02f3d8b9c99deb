package dev.toolfleet.worker.app;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

import dev.toolfleet.worker.commit.DoneOffsets;
import dev.toolfleet.worker.telemetry.LoadMeters;
import dev.toolfleet.worker.telemetry.Meters;
import io.micrometer.core.instrument.Meter;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.jspecify.annotations.Nullable;

/// How far each assigned partition of `tool.call` is: seen, finished, committed; each a gauge while the partition is
/// assigned. The poll thread tells what it reads, the transaction loop what it committed, anyone asks.
final class PartitionWatch {
    private final Meters meters;
    private final Map<Integer, Watched> partitions = new ConcurrentHashMap<>();

    PartitionWatch(Meters meters) {
        this.meters = meters;
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

    /// The partition starts. On the poll thread.
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

    /// Calls were read. On the poll thread.
    void read(int partition, long epoch, int calls, long next) {
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

    /// The assignment has ended. On the poll thread.
    void closed(int partition, long epoch) {
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

    /// How many calls an offset stands for, by what was read so far: transaction markers and what was compacted away take
    /// offsets and are none. 1 before anything was read.
    double callsPerOffset(int partition, long epoch) {
        Watched watched = of(partition, epoch);
        if (watched == null || watched.seen == watched.start)
            return 1;
        return Math.min(1, (double) watched.calls.get() / (watched.seen - watched.start));
    }
}
