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
import org.apache.kafka.common.TopicPartition;

/// What a transaction wrote, to wait until it can be read. A commit is acknowledged when its coordinator has noted it;
/// the partitions get their marks after that, and until then readers of committed records stand before it. Whoever runs
/// one command after the other expects the second to see what the first did. For one thread.
public final class WrittenRecords {
    private static final long LOOK_NANOS = Duration.ofMillis(5).toNanos();

    private final List<Future<RecordMetadata>> sends = new ArrayList<>();

    /// Notes a record that was handed to the producer.
    public void add(Future<RecordMetadata> sent) {
        sends.add(sent);
    }

    /// Forgets what was noted, such as that of a transaction that was taken back.
    public void clear() {
        sends.clear();
    }

    /// Returns when all of it can be read, when the time is over, or when the brokers do not tell: it is committed
    /// either way.
    ///
    /// @param clientProperties how to reach Kafka, with a login that may describe the topics
    public void awaitReadable(Map<String, Object> clientProperties, Duration atMost) {
        long end = System.nanoTime() + atMost.toNanos();
        Map<String, Object> config = new HashMap<>(clientProperties);
        int millis = Math.toIntExact(atMost.toMillis());
        config.put("default.api.timeout.ms", millis);
        config.put("request.timeout.ms", millis);
        try (Admin admin = Admin.create(config)) {
            Map<TopicPartition, Long> last = last();
            Map<TopicPartition, OffsetSpec> asked = last.keySet().stream()
                    .collect(Collectors.toMap(partition -> partition, partition -> OffsetSpec.latest()));
            while (!isBehind(last, ends(admin, asked, end)) && System.nanoTime() - end < 0)
                LockSupport.parkNanos(LOOK_NANOS);
        } catch (ExecutionException | TimeoutException e) {
            // It was committed; only nobody can say since when it can be read.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            clear();
        }
    }

    private Map<TopicPartition, Long> last() throws ExecutionException, InterruptedException {
        Map<TopicPartition, Long> last = new HashMap<>();
        for (Future<RecordMetadata> sent : sends) {
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
