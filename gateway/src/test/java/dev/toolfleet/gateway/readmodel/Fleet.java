package dev.toolfleet.gateway.readmodel;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;

import dev.toolfleet.client.topics.FleetTopics;
import dev.toolfleet.embedded.junit.KafkaFixture;
import dev.toolfleet.embedded.process.ChildJvm;
import dev.toolfleet.gateway.calls.DeliverySchedule;
import dev.toolfleet.gateway.calls.IdleCourier;
import dev.toolfleet.gateway.topology.CallRecords;
import dev.toolfleet.http.BearerToken;
import dev.toolfleet.http.HttpConfig;
import dev.toolfleet.http.HttpMeters;
import dev.toolfleet.topic.Topics;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/// Topics of a fleet, the writers of its records, and replicas of the read model.
final class Fleet implements AutoCloseable {
    static final int PARTITIONS = 4;
    /// Another number, so that no record of a handle lies where its call does.
    static final int PENDING_PARTITIONS = 3;

    private static final BearerToken TOKEN = new BearerToken("gateway.internal.token", "0123456789abcdef");

    private final KafkaFixture kafka;
    private final Topics topics;
    private final KafkaProducer<byte[], byte[]> producer;
    private final List<Replica> replicas = new ArrayList<>();
    private Map<String, String> settings = Map.of();

    /// Replica of the read model.
    record Replica(ReadModel model, SimpleMeterRegistry meters) {
        /// Number of reads that other replicas have sent here.
        long forwarded() {
            return meters.find(HttpMeters.REQUESTS).timers().stream().mapToLong(Timer::count).sum();
        }
    }

    Fleet(KafkaFixture kafka) {
        this.kafka = kafka;
        this.topics = new Topics(kafka.prefix());
        new FleetTopics(topics, clientProperties(), Duration.ofMinutes(1)).withPendingPartitions(PENDING_PARTITIONS)
                .create(OptionalInt.of(PARTITIONS), OptionalInt.empty());
        this.producer = new KafkaProducer<>(kafka.producerProperties(), new ByteArraySerializer(),
                new ByteArraySerializer());
    }

    private Map<String, String> clientProperties() {
        return Map.of("bootstrap.servers", kafka.bootstrapServers());
    }

    static ReadModel model(String bootstrapServers, Topics topics, Path stateDir, MeterRegistry meters,
            Map<String, String> kafka) {
        Map<String, String> all = new HashMap<>(kafka);
        all.put("bootstrap.servers", bootstrapServers);
        return new ReadModel(
                new ReadModelConfig(ReadModelConfig.DEFAULT_GROUP, topics, all, stateDir,
                        ReadModelConfig.DEFAULT_RETENTION,
                        ReadModelConfig.DEFAULT_REPLICATION, ReadModelConfig.DEFAULT_STANDBYS),
                new HttpConfig("gateway.internal", HttpConfig.DEFAULT_ADDRESS, 0,
                        Optional.of(TOKEN), Optional.empty()),
                meters, new IdleCourier(), DeliverySchedule.DAY);
    }

    /// Replicas from here on have these client properties.
    void set(Map<String, String> properties) {
        settings = Map.copyOf(properties);
    }

    /// Starts a replica in a process of its own.
    ChildJvm launch(Path stateDir) {
        return ReplicaProcess.launch(kafka.bootstrapServers(), topics, stateDir,
                stateDir.resolveSibling(stateDir.getFileName() + ".log"), settings);
    }

    /// Starts a replica.
    Replica start(Path stateDir) {
        return start(stateDir, new SimpleMeterRegistry());
    }

    /// Starts a replica whose meters are watched meanwhile.
    Replica start(Path stateDir, SimpleMeterRegistry meters) {
        ReadModel model = model(kafka.bootstrapServers(), topics, stateDir, meters, settings);
        Replica replica = new Replica(model, meters);
        replicas.add(replica);
        model.start();
        return replica;
    }

    /// Returns the client by which other replicas read one.
    static PeerClient peers() {
        return new PeerClient(Optional.of(TOKEN));
    }

    /// Writes a record and returns its offset.
    ///
    /// @param partition null for the partition of its key
    long write(@Nullable Integer partition, CallRecords.Written record) {
        try {
            return producer.send(new ProducerRecord<>(topics.name(record.topic()), partition,
                    CallRecords.bytes(record.key()), record.value(), record.headers())).get(60, TimeUnit.SECONDS)
                    .offset();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    @Override
    public void close() {
        replicas.forEach(replica -> replica.model().close());
        producer.close();
    }
}
