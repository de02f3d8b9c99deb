package dev.toolfleet.worker.simulation;

import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

import dev.toolfleet.topic.Topic;
import dev.toolfleet.worker.simulation.Faults.Fault;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.WakeupException;

import static java.util.Objects.requireNonNull;

/// Reads resumed calls of the partitions that it is told to, without a group. Its methods are those of [Consumer] that
/// the resumed loop calls.
final class SimReader {
    private static final int MAX_RECORDS = 4;
    /// It need not return before there is news. (The real one comes back empty now and then.)
    private static final long PATIENCE_MILLIS = 10_000;

    private final SimCluster cluster;
    private final Map<Integer, Long> positions = new TreeMap<>();
    private final Set<Integer> paused = new TreeSet<>();
    private boolean woken;

    SimReader(SimCluster cluster) {
        this.cluster = cluster;
    }

    @SuppressWarnings("unchecked")
    Consumer<byte[], byte[]> asConsumer() {
        return Fakes.of(Consumer.class, this);
    }

    /// Those that stay keep their positions.
    public void assign(Collection<TopicPartition> partitions) {
        List<Integer> numbers = partitions.stream().map(TopicPartition::partition).toList();
        positions.keySet().retainAll(numbers);
        paused.retainAll(numbers);
        numbers.forEach(number -> positions.putIfAbsent(number, 0L));
    }

    public void seek(TopicPartition partition, long offset) {
        if (positions.replace(partition.partition(), offset) == null)
            throw new IllegalStateException(partition + " is not assigned");
    }

    public void seek(TopicPartition partition, OffsetAndMetadata offset) {
        seek(partition, offset.offset());
    }

    public void pause(Collection<TopicPartition> partitions) {
        partitions.forEach(partition -> paused.add(partition.partition()));
    }

    public void resume(Collection<TopicPartition> partitions) {
        partitions.forEach(partition -> paused.remove(partition.partition()));
    }

    public long position(TopicPartition partition) {
        return requireNonNull(positions.get(partition.partition()));
    }

    public void wakeup() {
        woken = true;
    }

    boolean isWoken() {
        return woken;
    }

    public ConsumerRecords<byte[], byte[]> poll(Duration timeout) {
        if (positions.isEmpty())
            throw new IllegalStateException("nothing is assigned");
        cluster.fibers.pause();
        // Held records are offered again soon.
        cluster.fibers.await(() -> woken || hasRecords(),
                timeout.toMillis() < 100 ? timeout.toMillis() : PATIENCE_MILLIS);
        if (woken) {
            woken = false;
            throw new WakeupException();
        }
        if (cluster.faults.happens(Fault.RESUMED_READ))
            throw new TimeoutException("resumed calls");
        return fetch();
    }

    private boolean hasRecords() {
        for (Map.Entry<Integer, Long> entry : positions.entrySet()) {
            if (!paused.contains(entry.getKey()) && log(entry.getKey()).stableEnd() > entry.getValue())
                return true;
        }
        return false;
    }

    private ConsumerRecords<byte[], byte[]> fetch() {
        Map<TopicPartition, List<ConsumerRecord<byte[], byte[]>>> records = new LinkedHashMap<>();
        Map<TopicPartition, OffsetAndMetadata> next = new LinkedHashMap<>();
        positions.replaceAll((partition, from) -> {
            if (paused.contains(partition))
                return from;
            SimLog.Read read = log(partition).read(from, 1 + cluster.random.nextInt(MAX_RECORDS));
            TopicPartition name = new TopicPartition(Topic.CALL_RESUMED.baseName(), partition);
            if (!read.records().isEmpty()) {
                records.put(name, read.records());
                next.put(name, new OffsetAndMetadata(read.next(), read.records().getLast().leaderEpoch(), ""));
            }
            return read.next();
        });
        return new ConsumerRecords<>(records, next);
    }

    private SimLog log(int partition) {
        return cluster.log(Topic.CALL_RESUMED, partition);
    }
}
