package dev.toolfleet.client.topics;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;

import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Records of committed transactions, to wait until they can be read. For one thread.
///
/// **Why.** A coordinator acknowledges a commit before the partitions get their marks. Until then readers of committed
/// records stop before it. Otherwise: the second of two commands does not see the writes of the first.
public final class WrittenRecords {
    private static final Logger LOG = LoggerFactory.getLogger(WrittenRecords.class);
    private static final long LOOK_NANOS = Duration.ofMillis(5).toNanos();

    private final List<Future<RecordMetadata>> open = new ArrayList<>();
    private final List<Future<RecordMetadata>> committed = new ArrayList<>();

    /// Adds a record of the open transaction.
    public void add(Future<RecordMetadata> sent) {
        open.add(sent);
    }

    /// Marks the open transaction as committed.
    public void committed() {
        committed.addAll(open);
        open.clear();
    }

    /// Drops the records of the aborted transaction.
    public void aborted() {
        open.clear();
    }

    /// Waits until all committed records can be read, the time is over, or the brokers do not answer. Never fails,
    /// since the commit stands either way; a warning reports records that cannot be read yet.
    ///
    /// @param clientProperties Kafka client properties, with a login that may describe the topics
    /// @return true if they can be read
    public boolean awaitReadable(Map<String, Object> clientProperties, Duration atMost) {
        if (committed.isEmpty())
            return true;
        boolean readable = false;
        try {
            readable = areReadable(last(), clientProperties, atMost);
        } catch (KafkaException | ExecutionException | TimeoutException e) {
            LOG.debug("the end of committed records is not known", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (!readable)
            LOG.warn(
                    "The records are committed, but cannot be read yet. Another transaction is open before them, or a"
                            + " broker is slow; see 'A partition that stands still' in docs/operations.md");
        committed.clear();
        return readable;
    }

    private static boolean areReadable(Map<TopicPartition, Long> last, Map<String, Object> clientProperties,
            Duration atMost) throws ExecutionException, InterruptedException, TimeoutException {
        long end = System.nanoTime() + atMost.toNanos();
        Map<TopicPartition, OffsetSpec> asked = last.keySet().stream()
                .collect(Collectors.toMap(partition -> partition, partition -> OffsetSpec.latest()));
        Admin admin = Admin.create(clientProperties);
        try {
            while (!isBehind(last, ends(admin, asked, end))) {
                if (System.nanoTime() - end >= 0)
                    return false;
                LockSupport.parkNanos(LOOK_NANOS);
            }
            return true;
        } finally {
            // Without a bound the close would wait for a broker that may never answer.
            admin.close(Duration.ZERO);
        }
    }

    private Map<TopicPartition, Long> last() throws ExecutionException, InterruptedException {
        Map<TopicPartition, Long> last = new HashMap<>();
        for (Future<RecordMetadata> sent : committed) {
            RecordMetadata written = sent.get();
            last.merge(new TopicPartition(written.topic(), written.partition()), written.offset(), Math::max);
        }
        return last;
    }

    /// Returns the ends of committed records.
    private static Map<TopicPartition, ListOffsetsResultInfo> ends(Admin admin, Map<TopicPartition, OffsetSpec> asked,
            long end) throws ExecutionException, InterruptedException, TimeoutException {
        return admin.listOffsets(asked, new ListOffsetsOptions(IsolationLevel.READ_COMMITTED)).all()
                .get(Math.max(1, end - System.nanoTime()), TimeUnit.NANOSECONDS);
    }

    private static boolean isBehind(Map<TopicPartition, Long> last, Map<TopicPartition, ListOffsetsResultInfo> ends) {
        return last.entrySet().stream().allMatch(record -> {
            ListOffsetsResultInfo end = ends.get(record.getKey());
            return end != null && end.offset() > record.getValue();
        });
    }
}
