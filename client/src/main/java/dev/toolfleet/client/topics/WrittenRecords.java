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

/// What transactions wrote, to wait until it can be read. A commit is acknowledged when its coordinator has noted it;
/// the partitions get their marks after that, and until then readers of committed records stand before it. Whoever runs
/// one command after the other expects the second to see what the first did. For one thread.
public final class WrittenRecords {
    private static final Logger LOG = LoggerFactory.getLogger(WrittenRecords.class);
    private static final long LOOK_NANOS = Duration.ofMillis(5).toNanos();

    private final List<Future<RecordMetadata>> open = new ArrayList<>();
    private final List<Future<RecordMetadata>> committed = new ArrayList<>();

    /// Notes a record of the transaction that is open.
    public void add(Future<RecordMetadata> sent) {
        open.add(sent);
    }

    /// The transaction that was open is committed.
    public void committed() {
        committed.addAll(open);
        open.clear();
    }

    /// The transaction that was open is taken back.
    public void aborted() {
        open.clear();
    }

    /// Returns when all that was committed can be read, when the time is over, or when the brokers do not tell. Never
    /// fails, since it is committed either way; a warning says that it cannot be read yet.
    ///
    /// @param clientProperties how to reach Kafka, with a login that may describe the topics
    /// @return whether it can be read
    public boolean awaitReadable(Map<String, Object> clientProperties, Duration atMost) {
        if (committed.isEmpty())
            return true;
        boolean readable = false;
        try {
            readable = areReadable(last(), clientProperties, atMost);
        } catch (KafkaException | ExecutionException | TimeoutException e) {
            LOG.debug("whether it can be read is not known", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (!readable)
            LOG.warn(
                    "What was written is committed, and cannot be read yet. Another transaction is open before it, or a"
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
            // Without a bound it would wait for a broker that may never answer.
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

    /// Where committed records end.
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
