package dev.toolfleet.sessions.topology;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Properties;

import dev.toolfleet.identity.CallIdentity;
import dev.toolfleet.json.Json;
import dev.toolfleet.resources.ResourceTable;
import dev.toolfleet.session.window.ModelWindow;
import dev.toolfleet.session.window.WindowConfig;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.topic.Topics;
import dev.toolfleet.topic.WireHeaders;
import dev.toolfleet.wire.MessageEvent;
import dev.toolfleet.wire.MessageSource;
import dev.toolfleet.wire.ResultStatus;
import dev.toolfleet.wire.SessionMessage;
import dev.toolfleet.wire.SessionState;
import dev.toolfleet.wire.StepEvent;
import dev.toolfleet.wire.StepStarted;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.wire.ToolResult;
import dev.toolfleet.wire.WireCodec;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.TestInputTopic;
import org.apache.kafka.streams.TestOutputTopic;
import org.apache.kafka.streams.TopologyTestDriver;
import org.apache.kafka.streams.test.TestRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

/// Topology in a test driver, with the records of a runtime and a worker.
abstract class SessionTopologyFixture {
    static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path folder;
    @SuppressWarnings("NullAway.Init")
    TopologyTestDriver driver;
    @SuppressWarnings("NullAway.Init")
    TestInputTopic<byte[], byte[]> messages;
    @SuppressWarnings("NullAway.Init")
    TestInputTopic<byte[], byte[]> calls;
    @SuppressWarnings("NullAway.Init")
    TestInputTopic<byte[], byte[]> results;
    @SuppressWarnings("NullAway.Init")
    TestInputTopic<byte[], byte[]> steps;
    @SuppressWarnings("NullAway.Init")
    TestOutputTopic<byte[], byte[]> written;
    final List<MessageEvent> events = new ArrayList<>();

    @BeforeEach
    void open() {
        Properties properties = new Properties();
        properties.put(StreamsConfig.APPLICATION_ID_CONFIG, "sessions");
        properties.put(StreamsConfig.STATE_DIR_CONFIG, folder.toString());
        driver = new TopologyTestDriver(SessionTopology.of(new TopologySettings(new Topics(""),
                new ResourceTable(), Duration.ofSeconds(5), Duration.ofDays(30), WindowConfig.DEFAULT,
                ModelWindow.of(8_192))), properties, START);
        messages = input(Topic.SESSION_MESSAGE);
        calls = input(Topic.CALL);
        results = input(Topic.RESULT);
        steps = input(Topic.STEP);
        written = output(Topic.SESSION_MESSAGE);
    }

    @AfterEach
    void close() {
        driver.close();
    }

    /// The service reads its own events, as those of runtimes.
    List<MessageEvent> drained() {
        while (!written.isEmpty()) {
            TestRecord<byte[], byte[]> record = written.readRecord();
            events.add(WireCodec.of(MessageEvent.class).read(record.value()));
            messages.pipeInput(record.key(), record.value());
        }
        return events;
    }

    MessageEvent only() {
        assertThat(drained()).hasSize(1);
        return events.getFirst();
    }

    List<String> ids() {
        return drained().stream().map(event -> requireNonNull(event.message()).id()).toList();
    }

    List<String> logged() {
        drained();
        List<String> ids = new ArrayList<>();
        SessionId id = new SessionId("i", "a");
        driver.<String, byte[]>getKeyValueStore(SessionStores.MESSAGES)
                .range(SessionStores.messagesFrom(id), SessionStores.messagesTo(id))
                .forEachRemaining(entry -> ids.add(SessionStores.readMessage(entry.value).id()));
        return ids;
    }

    SessionState state() {
        drained();
        SessionId id = new SessionId("i", "a");
        return SessionStores.read(driver.<String, byte[]>getKeyValueStore(SessionStores.INDEX)
                .get(SessionStores.recordKey(id))).state();
    }

    void append(String id, JsonNode data, @Nullable String stepId) {
        event(MessageEvent.append("i", "a", message(id, data, stepId), "run"));
    }

    void event(MessageEvent event) {
        messages.pipeInput("i".getBytes(StandardCharsets.UTF_8), WireCodec.of(MessageEvent.class).write(event));
    }

    void call(String id, String stepId, JsonNode message) {
        ToolCall call = new ToolCall(id, "t", Json.MAPPER.createObjectNode(), "i", "a", "u", stepId, null, null, null,
                null,
                message, null, null, null);
        calls.pipeInput("i".getBytes(StandardCharsets.UTF_8), WireCodec.of(ToolCall.class).write(call));
    }

    void pending(String callId, String stepId) {
        pending(callId, stepId, "null");
    }

    void pending(String callId, String stepId, String output) {
        send(results, WireCodec.of(ToolResult.class), new ToolResult(callId, "t", ResultStatus.PENDING,
                Json.MAPPER.readTree(output), "h-1", null, "i", "a", "u", stepId, 1, false, null, 0, null, null),
                callId,
                stepId);
    }

    void result(String callId, String stepId, ResultStatus status, String output) {
        send(results, WireCodec.of(ToolResult.class), new ToolResult(callId, "t", status, Json.MAPPER.readTree(output),
                null, null, "i", "a", "u", stepId, 1, false, null, 0, null, null), callId, stepId);
    }

    void step(String stepId) {
        StepStarted started = new StepStarted("i", "a", "u", stepId, 0, null, null, null);
        steps.pipeInput("i".getBytes(StandardCharsets.UTF_8), WireCodec.of(StepEvent.class)
                .write(started));
    }

    static <T> void send(TestInputTopic<byte[], byte[]> topic, WireCodec<T> codec, T value, String callId,
            String stepId) {
        String identity = CallIdentity.of(ToolCall.of(callId, "t", Json.MAPPER.createObjectNode(), "i")
                .inStep("a", "u", stepId, 0), 0, 0).text();
        RecordHeaders headers = new RecordHeaders();
        headers.add(WireHeaders.IDENTITY, identity.getBytes(StandardCharsets.UTF_8));
        topic.pipeInput(new TestRecord<>("i".getBytes(StandardCharsets.UTF_8), codec.write(value), headers, START));
    }

    static SessionMessage message(String id, JsonNode data, @Nullable String stepId) {
        MessageSource.Type type = MessageSource.Type.valueOf(data.path("role").asString("").toUpperCase(
                Locale.ROOT));
        return new SessionMessage(id, data, null, START, new MessageSource(type, stepId, null, null, null));
    }

    static ObjectNode user(String text) {
        return Json.MAPPER.createObjectNode().put("role", "user").put("content", text);
    }

    static ObjectNode assistant(String... callIds) {
        ObjectNode data = Json.MAPPER.createObjectNode().put("role", "assistant");
        var parts = data.putArray("content");
        for (String id : callIds)
            parts.addObject().put("type", "tool-call").put("toolCallId", id).put("toolName", "t").putObject("input");
        return data;
    }

    TestInputTopic<byte[], byte[]> input(Topic topic) {
        return driver.createInputTopic(topic.baseName(), new ByteArraySerializer(), new ByteArraySerializer());
    }

    TestOutputTopic<byte[], byte[]> output(Topic topic) {
        return driver.createOutputTopic(topic.baseName(), new ByteArrayDeserializer(), new ByteArrayDeserializer());
    }
}
