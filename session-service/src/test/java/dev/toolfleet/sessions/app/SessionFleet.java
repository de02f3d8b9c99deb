package dev.toolfleet.sessions.app;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.ExecutionException;
import java.util.stream.IntStream;

import dev.toolfleet.client.topics.FleetTopics;
import dev.toolfleet.embedded.junit.KafkaFixture;
import dev.toolfleet.identity.CallIdentity;
import dev.toolfleet.json.Json;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.topic.Topics;
import dev.toolfleet.topic.WireHeaders;
import dev.toolfleet.wire.MessageEvent;
import dev.toolfleet.wire.MessageSource;
import dev.toolfleet.wire.ResultStatus;
import dev.toolfleet.wire.SessionMessage;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.wire.ToolResult;
import dev.toolfleet.wire.WireCodec;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Environment of a session service in these tests: topics, a runtime that writes messages, a worker that writes results.
final class SessionFleet implements AutoCloseable {
    static final int PARTITIONS = 4;
    private static final WireCodec<MessageEvent> EVENTS = WireCodec.of(MessageEvent.class);
    private static final WireCodec<ToolCall> CALLS = WireCodec.of(ToolCall.class);
    private static final WireCodec<ToolResult> RESULTS = WireCodec.of(ToolResult.class);

    private final KafkaFixture kafka;
    private final Topics topics;
    private final KafkaProducer<String, byte[]> producer;

    SessionFleet(KafkaFixture kafka) {
        this.kafka = kafka;
        this.topics = new Topics(kafka.prefix());
        Map<String, String> client = Map.of("bootstrap.servers", kafka.bootstrapServers());
        new FleetTopics(topics, client, Duration.ofMinutes(1)).create(OptionalInt.of(PARTITIONS), OptionalInt.empty());
        producer = new KafkaProducer<>(Map.<String, Object>copyOf(client), new StringSerializer(),
                new ByteArraySerializer());
    }

    String bootstrapServers() {
        return kafka.bootstrapServers();
    }

    Topics topics() {
        return topics;
    }

    void calling(int partition, String instanceKey, String stepId, List<String> callIds) {
        ObjectNode data = Json.MAPPER.createObjectNode().put("role", "assistant");
        ArrayNode parts = data.putArray("content");
        for (String id : callIds)
            parts.addObject().put("type", "tool-call").put("toolCallId", id).put("toolName", "t").putObject("input");
        SessionMessage message = new SessionMessage(stepId + "-" + callIds.getFirst(), data, null, Instant.now(),
                new MessageSource(MessageSource.Type.ASSISTANT, stepId, null, null, null));
        send(new ProducerRecord<>(topics.name(Topic.SESSION_MESSAGE), partition, instanceKey,
                EVENTS.write(MessageEvent.append(instanceKey, "a", message, "run"))));
    }

    void called(int partition, String instanceKey, String stepId, String callId) {
        called(partition, instanceKey, stepId, callId, "");
    }

    /// Writes a call whose arguments have this text.
    void called(int partition, String instanceKey, String stepId, String callId, String text) {
        ToolCall call = ToolCall.of(callId, "t", Json.MAPPER.createObjectNode().put("text", text), instanceKey)
                .inStep("a", "u", stepId, 0);
        send(new ProducerRecord<>(topics.name(Topic.CALL), partition, instanceKey, CALLS.write(call)));
    }

    void result(int partition, String instanceKey, String stepId, String callId) {
        ToolResult result = new ToolResult(callId, "t", ResultStatus.OK,
                Json.MAPPER.readTree("{\"id\":\"" + callId + "\"}"),
                null, null, instanceKey, "a", "u", stepId, 1, false, null, 0, null, null);
        ProducerRecord<String, byte[]> record = new ProducerRecord<>(topics.name(Topic.RESULT), partition, instanceKey,
                RESULTS.write(result));
        String identity = CallIdentity.of(ToolCall.of(callId, "t", Json.MAPPER.createObjectNode(), instanceKey)
                .inStep("a", "u", stepId, 0), 0, 0).text();
        record.headers().add(WireHeaders.IDENTITY, identity.getBytes(StandardCharsets.UTF_8));
        send(record);
    }

    /// Returns the committed events of results, in the order of each partition.
    List<MessageEvent> answers() {
        List<MessageEvent> answers = new ArrayList<>();
        try (KafkaConsumer<String, byte[]> consumer = new KafkaConsumer<>(Map.of("bootstrap.servers",
                kafka.bootstrapServers(), "isolation.level", "read_committed", "auto.offset.reset", "earliest"),
                new StringDeserializer(), new ByteArrayDeserializer())) {
            List<TopicPartition> partitions = IntStream.range(0, PARTITIONS)
                    .mapToObj(number -> new TopicPartition(topics.name(Topic.SESSION_MESSAGE), number)).toList();
            consumer.assign(partitions);
            Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
            while (partitions.stream().anyMatch(one -> consumer.position(one) < ends.getOrDefault(one, 0L))) {
                for (ConsumerRecord<String, byte[]> record : consumer.poll(Duration.ofMillis(100))) {
                    MessageEvent event = EVENTS.read(record.value());
                    if (event.message() != null && event.message().source().type() == MessageSource.Type.TOOL)
                        answers.add(event);
                }
            }
        }
        return answers;
    }

    private void send(ProducerRecord<String, byte[]> record) {
        try {
            producer.send(record).get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        producer.close();
    }
}
