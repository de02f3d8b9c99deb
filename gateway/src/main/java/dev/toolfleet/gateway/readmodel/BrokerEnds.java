package dev.toolfleet.gateway.readmodel;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.TopicPartition;

/// Ends of partitions as the broker reports them, over a connection of its own. Records of open transactions count: their
/// offsets are taken. Thread-safe.
final class BrokerEnds implements OwnCalls.Ends, CopyAges.Ends, AutoCloseable {
    private static final Duration ALL_WITHIN = Duration.ofSeconds(10);

    private final Admin admin;
    private final String topic;
    private final int partitions;

    /// @param kafka client properties
    /// @param topic the name of `tool.call`
    /// @param partitions their number
    BrokerEnds(Map<String, String> kafka, String topic, int partitions) {
        Map<String, Object> properties = new HashMap<>(kafka);
        properties.put(AdminClientConfig.CLIENT_ID_CONFIG, "gateway-ends");
        this.admin = Admin.create(properties);
        this.topic = topic;
        this.partitions = partitions;
    }

    @Override
    public OptionalLong of(int partition, Duration patience) {
        TopicPartition place = new TopicPartition(topic, partition);
        return read(Set.of(place), patience).flatMap(ends -> Optional.ofNullable(ends.get(place)))
                .map(end -> OptionalLong.of(end.offset())).orElse(OptionalLong.empty());
    }

    @Override
    public Optional<Map<Integer, Long>> now() {
        Set<TopicPartition> all = IntStream.range(0, partitions)
                .mapToObj(partition -> new TopicPartition(topic, partition)).collect(Collectors.toSet());
        return read(all, ALL_WITHIN).map(ends -> ends.entrySet().stream()
                .collect(Collectors.toMap(end -> end.getKey().partition(), end -> end.getValue().offset())));
    }

    private Optional<Map<TopicPartition, ListOffsetsResultInfo>> read(Set<TopicPartition> places, Duration patience) {
        int millis = Math.toIntExact(Math.max(1, patience.toMillis()));
        Map<TopicPartition, OffsetSpec> request = places.stream()
                .collect(Collectors.toMap(Function.identity(), place -> OffsetSpec.latest()));
        try {
            return Optional.of(admin.listOffsets(request,
                    new ListOffsetsOptions(IsolationLevel.READ_UNCOMMITTED).timeoutMs(millis)).all()
                    .get(millis, TimeUnit.MILLISECONDS));
        } catch (ExecutionException | TimeoutException e) {
            return Optional.empty();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }

    @Override
    public void close() {
        admin.close(Duration.ZERO);
    }
}
