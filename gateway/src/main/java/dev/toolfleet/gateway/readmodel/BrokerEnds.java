package dev.toolfleet.gateway.readmodel;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.TopicPartition;

/// Ends of partitions as the broker reports them, over a connection of its own. Records of open transactions count: their
/// offsets are taken. Thread-safe.
final class BrokerEnds implements OwnCalls.Ends, AutoCloseable {
    private final Admin admin;
    private final String topic;

    /// @param kafka client properties
    /// @param topic the name of `tool.call`
    BrokerEnds(Map<String, String> kafka, String topic) {
        Map<String, Object> properties = new HashMap<>(kafka);
        properties.put(AdminClientConfig.CLIENT_ID_CONFIG, "gateway-ends");
        this.admin = Admin.create(properties);
        this.topic = topic;
    }

    @Override
    public OptionalLong of(int partition, Duration patience) {
        TopicPartition place = new TopicPartition(topic, partition);
        int millis = Math.toIntExact(Math.max(1, patience.toMillis()));
        try {
            return OptionalLong.of(admin.listOffsets(Map.of(place, OffsetSpec.latest()),
                    new ListOffsetsOptions(IsolationLevel.READ_UNCOMMITTED).timeoutMs(millis))
                    .partitionResult(place).get(millis, TimeUnit.MILLISECONDS).offset());
        } catch (ExecutionException | TimeoutException e) {
            return OptionalLong.empty();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return OptionalLong.empty();
        }
    }

    @Override
    public void close() {
        admin.close(Duration.ZERO);
    }
}
