package dev.toolfleet.sessions.topology;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.stream.IntStream;

import dev.toolfleet.json.Json;
import dev.toolfleet.session.message.MessageFold;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.topic.WireHeaders;
import dev.toolfleet.wire.AwaitedCall;
import dev.toolfleet.wire.CancelCall;
import dev.toolfleet.wire.MessageEvent;
import dev.toolfleet.wire.MessageSource;
import dev.toolfleet.wire.ResultStatus;
import dev.toolfleet.wire.SessionReport;
import dev.toolfleet.wire.SessionState;
import dev.toolfleet.wire.ToolResult;
import dev.toolfleet.wire.WireCodec;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.streams.test.TestRecord;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.StringNode;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

class SessionTopologyTest extends SessionTopologyFixture {
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
        assertThat(state().awaited()).isEmpty();
    }

    @Test
    void lateMessageOfSeveralCallsReplacesAllThatWereMade() {
        result("c1", "s1", ResultStatus.OK, "1");
        result("c2", "s1", ResultStatus.OK, "2");
        driver.advanceWallClockTime(Duration.ofSeconds(6));
        drained();
        assertThat(logged()).hasSize(4);
        append("a-1", assistant("c1", "c2", "c3"), "s1");
        assertThat(logged()).hasSize(3).startsWith("a-1");
        assertThat(state().awaited()).extracting(AwaitedCall::toolCallId).containsExactly("c3");
        assertThat(state().messages()).isEqualTo(3);
    }

    @Test
    void editedMessageOfTheModelDoesNotOpenAnsweredCalls() {
        append("a-1", assistant("c1", "c2"), "s1");
        result("c1", "s1", ResultStatus.OK, "1");
        drained();
        event(new MessageEvent(MessageEvent.Type.REPLACE, "i", "a", null, "s1", null,
                message("a-2", assistant("c1", "c2"), "s1"), "a-1", null, null, "run", START));
        assertThat(state().awaited()).extracting(AwaitedCall::toolCallId).containsExactly("c2");
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
    void resultThatNoRecordHoldsIsNamedInItsMessage() {
        append("a-1", assistant("c1", "c2"), "s1");
        send(results, WireCodec.of(ToolResult.class), new ToolResult("c1", "t", ResultStatus.OK,
                StringNode.valueOf("x".repeat(2_500_000)), null, null, "i", "a", "u", "s1", 1, false, null, 0, null,
                null, "10 times."), "c1", "s1");
        // The message has the output as a text in a text, which escapes it again.
        pending("c2", "s1", "[\"" + "\\u0001".repeat(160_000) + "\"]");
        drained();
        assertThat(events).hasSize(2).allSatisfy(event -> {
            assertThat(WireCodec.of(MessageEvent.class).write(event).length).isLessThan(10_000);
            assertThat(event.toString()).contains("bytes are too many for a session; tool.result has the result");
        });
        assertThat(events.getFirst().toString()).as("its notice stays").contains("NOTICE: 10 times.");
        assertThat(state().awaited()).extracting(AwaitedCall::handle).containsExactly("h-1");
    }

    @Test
    void stateOfManyOpenCallsFitsIntoARecord() {
        String name = "x".repeat(1_000);
        for (int step = 0; step < 20; step++) {
            int first = step * 20;
            append("a-" + step, assistant(IntStream.range(first, first + 20).mapToObj(id -> name + id)
                    .toArray(String[]::new)), "s" + step);
        }
        assertThat(output(Topic.SESSION_STATE).readValuesToList()).hasSize(20)
                .allMatch(bytes -> bytes.length < 200_000);
    }

    @Test
    void callOfANewSessionIsKeptUntilItsResult() {
        step("s1");
        call("c1", "s1", assistant("c1"));
        driver.advanceWallClockTime(Duration.ofMinutes(20));
        result("c1", "s1", ResultStatus.OK, "1");
        driver.advanceWallClockTime(Duration.ofSeconds(6));
        assertThat(requireNonNull(drained().getFirst().message()).metadata()).hasToString("{\"from\":\"tool.call\"}");
    }

    @Test
    void messageOfAResultContinuesItsTrace() {
        append("a-1", assistant("c1"), "s1");
        String trace = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
        ToolResult result = new ToolResult("c1", "t", ResultStatus.OK, null, null, null, "i", "a", "u", "s1", 1, false,
                null, 0, null, null);
        RecordHeaders headers = new RecordHeaders();
        headers.add(WireHeaders.TRACEPARENT, trace.getBytes(StandardCharsets.UTF_8));
        results.pipeInput(new TestRecord<>("i".getBytes(StandardCharsets.UTF_8),
                WireCodec.of(ToolResult.class).write(result), headers, START));
        assertThat(new String(written.readRecord().headers().lastHeader(WireHeaders.TRACEPARENT).value(),
                StandardCharsets.UTF_8)).isEqualTo(trace);
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
}
