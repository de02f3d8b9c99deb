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
import dev.toolfleet.session.message.MessageFold;
import dev.toolfleet.session.window.ModelWindow;
import dev.toolfleet.session.window.WindowConfig;
import dev.toolfleet.session.window.WindowGuard;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.topic.Topics;
import dev.toolfleet.topic.WireHeaders;
import dev.toolfleet.wire.AwaitedCall;
import dev.toolfleet.wire.CancelCall;
import dev.toolfleet.wire.MessageEvent;
import dev.toolfleet.wire.MessageSource;
import dev.toolfleet.wire.ResultStatus;
import dev.toolfleet.wire.SessionMessage;
import dev.toolfleet.wire.SessionReport;
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
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

class SessionTopologyTest {
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path folder;
    @SuppressWarnings("NullAway.Init")
    private TopologyTestDriver driver;
    @SuppressWarnings("NullAway.Init")
    private TestInputTopic<byte[], byte[]> messages;
    @SuppressWarnings("NullAway.Init")
    private TestInputTopic<byte[], byte[]> calls;
    @SuppressWarnings("NullAway.Init")
    private TestInputTopic<byte[], byte[]> results;
    @SuppressWarnings("NullAway.Init")
    private TestInputTopic<byte[], byte[]> steps;
    @SuppressWarnings("NullAway.Init")
    private TestOutputTopic<byte[], byte[]> written;
    private final List<MessageEvent> events = new ArrayList<>();

    @BeforeEach
    void open() {
        Properties properties = new Properties();
        properties.put(StreamsConfig.APPLICATION_ID_CONFIG, "sessions");
        properties.put(StreamsConfig.STATE_DIR_CONFIG, folder.toString());
        driver = new TopologyTestDriver(SessionTopology.of(new TopologySettings(new Topics(""), Duration.ofSeconds(5),
                Duration.ofDays(30), new WindowGuard(WindowConfig.DEFAULT), ModelWindow.of(8_192))), properties, START);
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

    @Test
    void resultOfAKnownCallBecomesOneMessage() {
        append("a-1", assistant("c1"), "s1");
        result("c1", "s1", ResultStatus.OK, "{\"x\":1}");
        MessageEvent event = only();
        assertThat(requireNonNull(event.message()).data().toString()).isEqualTo("{\"role\":\"tool\",\"content\":["
                + "{\"type\":\"tool-result\",\"toolCallId\":\"c1\",\"toolName\":\"t\",\"output\":{\"type\":\"json\","
                + "\"value\":{\"x\":1}}}]}");
        assertThat(event.message().id()).matches("m-[0-9a-f]{32}-1");
        SessionState state = state();
        assertThat(state.messages()).isEqualTo(2);
        assertThat(state.seq()).isEqualTo(2);
        assertThat(state.awaited()).isEmpty();
    }

    @Test
    void resultThatComesFirstWaitsForItsCall() {
        result("c1", "s1", ResultStatus.OK, "1");
        assertThat(drained()).isEmpty();
        append("a-1", assistant("c1"), "s1");
        assertThat(ids()).hasSize(1);
        assertThat(logged()).containsExactly("a-1", ids().getFirst());
    }

    @Test
    void callsOwnMessageIsAppendedAfterTheWait() {
        JsonNode own = assistant("c1");
        call("c1", "s1", own);
        result("c1", "s1", ResultStatus.OK, "1");
        driver.advanceWallClockTime(Duration.ofSeconds(4));
        assertThat(drained()).isEmpty();
        driver.advanceWallClockTime(Duration.ofSeconds(2));
        assertThat(drained()).hasSize(2);
        assertThat(requireNonNull(events.getFirst().message()).data()).isEqualTo(own);
        assertThat(requireNonNull(events.getFirst().message().metadata()).toString())
                .isEqualTo("{\"from\":\"tool.call\"}");
        assertThat(requireNonNull(events.get(1).message()).source().toolCallId()).isEqualTo("c1");
    }

    @Test
    void lateMessageOfTheRuntimeReplacesTheOneThatWasMade() {
        call("c1", "s1", assistant("c1"));
        result("c1", "s1", ResultStatus.OK, "1");
        driver.advanceWallClockTime(Duration.ofSeconds(6));
        drained();
        append("a-1", assistant("c1"), "s1");
        assertThat(logged()).containsExactly("a-1", ids().getLast());
    }

    @Test
    void resultsKeepTheOrderOfFinishing() {
        append("a-1", assistant("c1", "c3"), "s1");
        result("c2", "s1", ResultStatus.OK, "2");
        result("c1", "s1", ResultStatus.OK, "1");
        assertThat(drained()).isEmpty();
        append("a-2", assistant("c2"), "s1");
        result("c3", "s1", ResultStatus.OK, "3");
        drained();
        assertThat(events).extracting(event -> requireNonNull(event.message()).source().toolCallId())
                .containsExactly("c2", "c1", "c3");
    }

    @Test
    void replayedResultGetsNoSecondMessage() {
        append("a-1", assistant("c1"), "s1");
        result("c1", "s1", ResultStatus.OK, "1");
        send(results, WireCodec.of(ToolResult.class), new ToolResult("c1", "t", ResultStatus.OK, null, null, null, "i",
                "a", "u", "s1", 1, true, null, 0, null, null), "c1", "s1");
        assertThat(drained()).hasSize(1);
    }

    @Test
    void redeliveredEventIsAppliedOnce() {
        append("a-1", assistant("c1"), "s1");
        append("a-1", assistant("c1"), "s1");
        assertThat(logged()).containsExactly("a-1");
        assertThat(state().seq()).isEqualTo(1);
    }

    @Test
    void finalResultBeforeTheNextStepReplacesThePendingMessage() {
        append("a-1", assistant("c1"), "s1");
        step("s1");
        pending("c1", "s1");
        drained();
        assertThat(state().awaited()).containsExactly(new AwaitedCall("c1", "t", "s1", "h-1", true));
        result("c1", "s1", ResultStatus.OK, "1");
        assertThat(drained()).hasSize(2);
        assertThat(events.getLast().type()).isEqualTo(MessageEvent.Type.REPLACE);
        assertThat(logged()).containsExactly("a-1", ids().getLast());
        assertThat(ids().getLast()).endsWith("-2");
        assertThat(state().awaited()).isEmpty();
    }

    @Test
    void finalResultAfterTheNextStepIsNews() {
        append("a-1", assistant("c1"), "s1");
        step("s1");
        pending("c1", "s1");
        drained();
        step("s2");
        result("c1", "s1", ResultStatus.OK, "1");
        assertThat(drained()).hasSize(2);
        assertThat(requireNonNull(events.getLast().message()).source().type()).isEqualTo(MessageSource.Type.EXTENSION);
        assertThat(logged()).hasSize(3);
        assertThat(state().awaited()).isEmpty();
    }

    @Test
    void unknownTargetIsReportedAndTheFoldGoesOn() {
        append("u-1", user("hello"), null);
        event(new MessageEvent(MessageEvent.Type.REPLACE, "i", "a", null, null, null, message("x", user("y"), null),
                "none", null, null, "run", START));
        append("u-2", user("there"), null);
        assertThat(logged()).containsExactly("u-1", "u-2");
        SessionReport report = WireCodec.of(SessionReport.class).read(output(Topic.SESSION_REPORT).readValue());
        assertThat(report.code()).isEqualTo(MessageFold.TARGET_NOT_FOUND);
        assertThat(report.message()).isEqualTo("the session has no message 'none'");
    }

    @Test
    void conflictIsADeadLetterAndAReport() {
        append("u-1", user("hello"), null);
        event(MessageEvent.append("i", "a", message("u-2", user("stale"), null), "run-2").expecting(0));
        assertThat(logged()).containsExactly("u-1");
        TestRecord<byte[], byte[]> letter = output(Topic.DEAD_LETTER).readRecord();
        assertThat(new String(letter.headers().lastHeader(WireHeaders.REASON).value(), StandardCharsets.UTF_8))
                .isEqualTo("E_SESSION_CONFLICT: expectedSeq is 0, and the session has 1; read its messages and decide "
                        + "anew");
        assertThat(WireCodec.of(SessionReport.class).read(output(Topic.SESSION_REPORT).readValue()).code())
                .isEqualTo("E_SESSION_CONFLICT");
    }

    @Test
    void malformedEventIsADeadLetter() {
        messages.pipeInput("i".getBytes(StandardCharsets.UTF_8),
                "{\"type\":\"fork\"}".getBytes(StandardCharsets.UTF_8));
        assertThat(output(Topic.DEAD_LETTER).readRecord().headers().lastHeader(WireHeaders.REASON).value())
                .isNotEmpty();
    }

    @Test
    void truncateEmptiesTheSession() {
        append("u-1", user("hello"), null);
        append("a-1", assistant("c1"), "s1");
        event(new MessageEvent(MessageEvent.Type.TRUNCATE, "i", "a", null, null, null, null, null, null, null, "run",
                START));
        assertThat(logged()).isEmpty();
        SessionState state = state();
        assertThat(state.tokens()).isZero();
        assertThat(state.awaited()).isEmpty();
        append("u-1", user("again"), null);
        assertThat(logged()).containsExactly("u-1");
    }

    @Test
    @DisplayName("X-08 an approval is cancelled by a reset of its session; other pending calls go on")
    void truncateCancelsOpenApprovals() {
        append("a-1", assistant("c1", "c2"), "s1");
        pending("c1", "s1");
        send(results, WireCodec.of(ToolResult.class), new ToolResult("c2", "t", ResultStatus.PENDING,
                Json.MAPPER.readTree("{\"approval\":\"required\"}"), "h-2", null, "i", "a", "u", "s1", 1, false, null,
                0,
                null, null), "c2", "s1");
        drained();
        event(new MessageEvent(MessageEvent.Type.TRUNCATE, "i", "a", null, null, null, null, null, null, null, "run",
                START));
        assertThat(output(Topic.CONTROL).readValuesToList())
                .extracting(bytes -> WireCodec.of(CancelCall.class).read(bytes)).containsExactly(
                        new CancelCall("i", null, null, "h-2", "run", "the session was truncated", null, null));
    }

    @Test
    void windowIsReportedOnceWhenItsStatusChanges() {
        append("u-1", user("x".repeat(14_000)), null);
        append("u-2", user("y"), null);
        assertThat(state().status()).isEqualTo("critical");
        assertThat(output(Topic.SESSION_REPORT).readValuesToList()).hasSize(1);
    }

    @Test
    void sessionsNeverShareAState() {
        for (int n = 0; n < 1_000; n++) {
            MessageEvent event = new MessageEvent(MessageEvent.Type.APPEND, n % 2 == 0 ? "i/" + n : "i", "a" + n, null,
                    null, null, message("u-" + n, user("x"), null), null, null, null, "run", START);
            messages.pipeInput(new byte[0], WireCodec.of(MessageEvent.class).write(event));
        }
        assertThat(output(Topic.SESSION_STATE).readValuesToList()).hasSize(1_000)
                .allMatch(state -> WireCodec.of(SessionState.class).read(state).messages() == 1);
    }

    @Test
    void untouchedSessionExpires() {
        append("u-1", user("hello"), null);
        state();
        driver.advanceWallClockTime(Duration.ofDays(31));
        assertThat(output(Topic.SESSION_STATE).readKeyValuesToList().getLast().value).isNull();
        assertThat(logged()).isEmpty();
    }

    /// The service reads its own events, as those of runtimes.
    private List<MessageEvent> drained() {
        while (!written.isEmpty()) {
            TestRecord<byte[], byte[]> record = written.readRecord();
            events.add(WireCodec.of(MessageEvent.class).read(record.value()));
            messages.pipeInput(record.key(), record.value());
        }
        return events;
    }

    private MessageEvent only() {
        assertThat(drained()).hasSize(1);
        return events.getFirst();
    }

    private List<String> ids() {
        return drained().stream().map(event -> requireNonNull(event.message()).id()).toList();
    }

    private List<String> logged() {
        drained();
        List<String> ids = new ArrayList<>();
        SessionId id = new SessionId("i", "a");
        driver.<String, byte[]>getKeyValueStore(SessionStores.MESSAGES)
                .range(SessionStores.messagesFrom(id), SessionStores.messagesTo(id))
                .forEachRemaining(entry -> ids.add(SessionStores.readMessage(entry.value).id()));
        return ids;
    }

    private SessionState state() {
        drained();
        SessionId id = new SessionId("i", "a");
        return SessionStores.read(driver.<String, byte[]>getKeyValueStore(SessionStores.INDEX)
                .get(SessionStores.recordKey(id))).state();
    }

    private void append(String id, JsonNode data, @Nullable String stepId) {
        event(MessageEvent.append("i", "a", message(id, data, stepId), "run"));
    }

    private void event(MessageEvent event) {
        messages.pipeInput("i".getBytes(StandardCharsets.UTF_8), WireCodec.of(MessageEvent.class).write(event));
    }

    private void call(String id, String stepId, JsonNode message) {
        ToolCall call = new ToolCall(id, "t", Json.MAPPER.createObjectNode(), "i", "a", "u", stepId, null, null, null,
                null,
                message, null, null, null);
        calls.pipeInput("i".getBytes(StandardCharsets.UTF_8), WireCodec.of(ToolCall.class).write(call));
    }

    private void pending(String callId, String stepId) {
        send(results, WireCodec.of(ToolResult.class),
                new ToolResult(callId, "t", ResultStatus.PENDING, null, "h-1", null,
                        "i", "a", "u", stepId, 1, false, null, 0, null, null),
                callId, stepId);
    }

    private void result(String callId, String stepId, ResultStatus status, String output) {
        send(results, WireCodec.of(ToolResult.class), new ToolResult(callId, "t", status, Json.MAPPER.readTree(output),
                null, null, "i", "a", "u", stepId, 1, false, null, 0, null, null), callId, stepId);
    }

    private void step(String stepId) {
        StepStarted started = new StepStarted("i", "a", "u", stepId, 0, null, null, null);
        steps.pipeInput("i".getBytes(StandardCharsets.UTF_8), WireCodec.of(StepEvent.class)
                .write(started));
    }

    private static <T> void send(TestInputTopic<byte[], byte[]> topic, WireCodec<T> codec, T value, String callId,
            String stepId) {
        String identity = CallIdentity.of(ToolCall.of(callId, "t", Json.MAPPER.createObjectNode(), "i")
                .inStep("a", "u", stepId, 0), 0, 0).text();
        RecordHeaders headers = new RecordHeaders();
        headers.add(WireHeaders.IDENTITY, identity.getBytes(StandardCharsets.UTF_8));
        topic.pipeInput(new TestRecord<>("i".getBytes(StandardCharsets.UTF_8), codec.write(value), headers, START));
    }

    private static SessionMessage message(String id, JsonNode data, @Nullable String stepId) {
        MessageSource.Type type = MessageSource.Type.valueOf(data.path("role").asString("").toUpperCase(
                Locale.ROOT));
        return new SessionMessage(id, data, null, START, new MessageSource(type, stepId, null, null, null));
    }

    private static ObjectNode user(String text) {
        return Json.MAPPER.createObjectNode().put("role", "user").put("content", text);
    }

    private static ObjectNode assistant(String... callIds) {
        ObjectNode data = Json.MAPPER.createObjectNode().put("role", "assistant");
        var parts = data.putArray("content");
        for (String id : callIds)
            parts.addObject().put("type", "tool-call").put("toolCallId", id).put("toolName", "t").putObject("input");
        return data;
    }

    private TestInputTopic<byte[], byte[]> input(Topic topic) {
        return driver.createInputTopic(topic.baseName(), new ByteArraySerializer(), new ByteArraySerializer());
    }

    private TestOutputTopic<byte[], byte[]> output(Topic topic) {
        return driver.createOutputTopic(topic.baseName(), new ByteArrayDeserializer(), new ByteArrayDeserializer());
    }
}
