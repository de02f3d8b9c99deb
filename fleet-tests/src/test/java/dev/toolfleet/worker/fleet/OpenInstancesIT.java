package dev.toolfleet.worker.fleet;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import dev.toolfleet.embedded.junit.EmbeddedKafkaTest;
import dev.toolfleet.embedded.junit.KafkaFixture;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.wire.AgentAddress;
import dev.toolfleet.wire.AgentInstance;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.wire.ToolResult;
import dev.toolfleet.wire.WireCodec;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static dev.toolfleet.worker.fleet.AgentBundle.call;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

/// Instances as agents see them while a transaction is open on `agent.instance`.
@EmbeddedKafkaTest
@Timeout(600)
class OpenInstancesIT {
    @TempDir
    private Path folder;

    @Test
    void whatIsBehindAnOpenTransactionIsWaitedForAndOneThatStaysOpenHoldsUpNobody(KafkaFixture kafka)
            throws Exception {
        try (TestFleet fleet = AgentBundle.apply(new TestFleet(kafka, folder, 2));
                KafkaProducer<byte[], byte[]> producer = transactional(kafka)) {
            fleet.worker("w1");
            producer.beginTransaction();
            announce(fleet, producer, "p1/helper");
            ToolCall spawn = sent(fleet, "c1", "p1");
            TimeUnit.SECONDS.sleep(1);
            producer.commitTransaction();
            assertThat(spawned(fleet, spawn)).as("it was announced before").isFalse();

            producer.beginTransaction();
            announce(fleet, producer, "p2/helper");
            assertThat(spawned(fleet, sent(fleet, "c2", "p2"))).as("nobody knows of the other").isTrue();
            producer.abortTransaction();
        }
    }

    private static void announce(TestFleet fleet, KafkaProducer<byte[], byte[]> producer, String instance) {
        AgentInstance announced = new AgentInstance("reviewer", instance,
                new AgentAddress("planner", instance.substring(0, 2)), null, AgentInstance.Status.RUNNING,
                Instant.EPOCH, null);
        var _ = producer.send(new ProducerRecord<>(fleet.topics.name(Topic.AGENT_INSTANCE),
                announced.key().getBytes(StandardCharsets.UTF_8),
                WireCodec.of(AgentInstance.class).write(announced)));
        producer.flush();
    }

    private static ToolCall sent(TestFleet fleet, String id, String instance) {
        ToolCall spawn = call(id, "agents__spawn", "planner", instance, "target", "reviewer", "instanceKey", "helper");
        fleet.send(spawn);
        return spawn;
    }

    private static boolean spawned(TestFleet fleet, ToolCall call) {
        return requireNonNull(fleet.result(call, ToolResult::isFinal).output()).path("spawned").booleanValue();
    }

    private static KafkaProducer<byte[], byte[]> transactional(KafkaFixture kafka) {
        Map<String, Object> properties = kafka.producerProperties();
        properties.put("transactional.id", kafka.newGroup());
        properties.put("transaction.timeout.ms", 300_000);
        KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(properties, new ByteArraySerializer(),
                new ByteArraySerializer());
        producer.initTransactions();
        return producer;
    }
}
