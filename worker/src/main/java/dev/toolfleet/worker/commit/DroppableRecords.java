package dev.toolfleet.worker.commit;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;

import dev.toolfleet.worker.telemetry.LogKeys;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Records that matter only while they are new, such as the progress of a call.
///
/// **Contract.** They go into a transaction beside other records, without an offset. They are dropped if that
/// transaction fails, and the oldest are dropped if too many wait. If one of their topics cannot be written, all of
/// them are dropped until it can be, longer each time. So they never hold up a record that must be written.
///
/// **Threads.** Any thread adds; the rest is for the transaction loop's thread.
final class DroppableRecords {
    /// Most records that wait.
    static final int MOST_WAITING = 1_000;
    private static final Logger LOG = LoggerFactory.getLogger(DroppableRecords.class);
    private static final Duration FIRST = Duration.ofSeconds(10);
    private static final Duration LONGEST = Duration.ofMinutes(10);

    private final Quarantine.Reachability reachability;
    private final LongSupplier nanos;
    private final Deque<ProducerRecord<byte[], byte[]>> waiting = new ArrayDeque<>();
    private Set<TopicPartition> closed = Set.of();
    private long pause = FIRST.toNanos();
    private long until;
    private @Nullable CompletableFuture<Boolean> probe;

    DroppableRecords(Quarantine.Reachability reachability, LongSupplier nanos) {
        this.reachability = reachability;
        this.nanos = nanos;
    }

    void add(ProducerRecord<byte[], byte[]> record) {
        synchronized (waiting) {
            if (waiting.size() == MOST_WAITING)
                waiting.removeFirst();
            waiting.add(record);
        }
    }

    /// Moves the oldest records into the next transaction, as far as it has room. While their topic cannot be written,
    /// drops all.
    List<ProducerRecord<byte[], byte[]>> take(TransactionRoom room) {
        boolean sitOut = sitOut();
        synchronized (waiting) {
            if (waiting.isEmpty())
                return List.of();
            if (sitOut) {
                waiting.clear();
                return List.of();
            }
            List<ProducerRecord<byte[], byte[]>> taken = new ArrayList<>();
            while (!waiting.isEmpty() && room.admit(RecordBytes.of(waiting.getFirst())))
                taken.add(waiting.removeFirst());
            return taken;
        }
    }

    private boolean sitOut() {
        if (closed.isEmpty())
            return false;
        CompletableFuture<Boolean> asked = probe;
        if (asked == null) {
            if (nanos.getAsLong() - until < 0)
                return true;
            asked = reachability.reachable(closed);
            probe = asked;
        }
        if (!asked.isDone())
            return true;
        probe = null;
        if (asked.state() == Future.State.SUCCESS && asked.resultNow()) {
            closed = Set.of();
            return false;
        }
        until = nanos.getAsLong() + pause;
        return true;
    }

    /// Notes that these were committed.
    void committed(List<ProducerRecord<byte[], byte[]>> taken) {
        if (!taken.isEmpty())
            pause = FIRST.toNanos();
    }

    /// Notes that the transaction with these failed. Returns true if the next one may succeed, because it will be
    /// without them.
    ///
    /// @param unreachable the topics that could not be written
    boolean failed(List<ProducerRecord<byte[], byte[]>> taken, Set<TopicPartition> unreachable) {
        Set<TopicPartition> ours = taken.stream().map(Transaction::target).filter(unreachable::contains)
                .map(target -> new TopicPartition(target.topic(), -1)).collect(Collectors.toSet());
        if (ours.isEmpty())
            return false;
        LOG.atWarn().addKeyValue("targets", ours).addKeyValue(LogKeys.MILLIS, pause / 1_000_000)
                .log("progress records dropped: their topic cannot be written");
        closed = ours;
        until = nanos.getAsLong() + pause;
        pause = Math.min(2 * pause, LONGEST.toNanos());
        return true;
    }
}
