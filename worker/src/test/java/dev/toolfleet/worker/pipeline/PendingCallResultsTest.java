package dev.toolfleet.worker.pipeline;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;

import dev.toolfleet.error.ErrorCode;
import dev.toolfleet.identity.CallIdentity;
import dev.toolfleet.json.Json;
import dev.toolfleet.topic.Topics;
import dev.toolfleet.topic.WireHeaders;
import dev.toolfleet.wire.CallOrigin;
import dev.toolfleet.wire.Completion;
import dev.toolfleet.wire.OpenHandle;
import dev.toolfleet.wire.PendingCall;
import dev.toolfleet.wire.Progress;
import dev.toolfleet.wire.ResultStatus;
import dev.toolfleet.wire.ResumedCall;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.wire.ToolError;
import dev.toolfleet.wire.ToolErrorEvent;
import dev.toolfleet.wire.ToolRef;
import dev.toolfleet.wire.ToolResult;
import dev.toolfleet.wire.WireCodec;
import dev.toolfleet.worker.TestResources;
import dev.toolfleet.worker.assignment.Position;
import dev.toolfleet.worker.commit.Outcome;
import dev.toolfleet.worker.guard.ResultGuard;
import dev.toolfleet.worker.identity.DedupeConfig;
import dev.toolfleet.worker.identity.PartitionState;
import dev.toolfleet.worker.identity.PartitionStates;
import dev.toolfleet.worker.record.JournalRecords;
import dev.toolfleet.worker.record.LoopConfig;
import dev.toolfleet.worker.record.LoopStage;
import dev.toolfleet.worker.record.OutcomeRecords;
import dev.toolfleet.worker.record.RecordWriter;
import dev.toolfleet.worker.record.ResultRecords;
import dev.toolfleet.worker.record.SideRecords;
import dev.toolfleet.worker.registry.ToolRegistry;
import dev.toolfleet.worker.telemetry.WorkerMeters;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.StringNode;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

class PendingCallResultsTest {
    private static final Instant CALLED = Instant.parse("2026-01-01T00:00:00Z");
    private static final InstantSource CLOCK = InstantSource.fixed(CALLED.plusSeconds(90));
    private static final RecordWriter WRITER = new RecordWriter(new Topics(""), "w1", CLOCK);
    private static final ResultRecords RESULTS = new ResultRecords(WRITER, CLOCK, 100_000);
    private static final ToolCall CALL = ToolCall.of("c1", "ci__build", Json.MAPPER.createObjectNode().put("n", 1), "i")
            .inStep("coder", "t", "s", 0);
    private static final Position AT = Position.resumed(3, 7, 12);

    private final OutcomeRecords outcomes = outcomes(LoopStage.OFF);
    private final PartitionStates states = new PartitionStates();
    private final PartitionState state = new PartitionState(new DedupeConfig(Duration.ofMinutes(1), 10),
            System::nanoTime);
    private final List<Outcome> published = new ArrayList<>();
    private int done;
    private ResultGuard guard = ResultGuard.NONE;

    private static OutcomeRecords outcomes(LoopStage loops) {
        return new OutcomeRecords(RESULTS, new SideRecords(WRITER, RESULTS, CLOCK), new JournalRecords(WRITER), CLOCK,
                "", new WorkerMeters(new SimpleMeterRegistry()), loops, open -> {});
    }

    private void end(Completion outcome) {
        new PendingCallResults(states, TestResources.registry(Map::of, true), outcomes, guard, published::add).end(AT,
                ResumedCall.ended(pending(), outcome),
                () -> done++);
    }

    // Taken for gone, a tool whose data is sensitive was taken for any other.
    @Test
    void aToolThatIsBeingLoadedIsWaitedFor() throws Exception {
        waits();
        CountDownLatch gate = new CountDownLatch(1);
        PendingCallResults ends = new PendingCallResults(states,
                TestResources.loading(() -> Map.of("run", (ctx, input) -> null),
                        gate),
                outcomes, guard, published::add);
        FutureTask<Boolean> ended = new FutureTask<>(() -> ends.end(AT, ResumedCall.ended(
                pending(new ToolRef("acme", "t", "run")),
                Completion.completed("h-1", StringNode.valueOf("built"), null)), () -> done++), true);
        Thread thread = Thread.ofVirtual().start(ended);
        await().until(() -> ended.isDone() || thread.getState() == Thread.State.TIMED_WAITING);
        assertThat(published).isEmpty();

        gate.countDown();
        ended.get(1, TimeUnit.MINUTES);
        assertThat(published).hasSize(1);
    }

    @Test
    void theEndOfAPendingCallCountsAsAResultInARow() {
        waits();
        ToolRegistry registry = TestResources.registry(Map::of, true);
        LoopStage loops = LoopStage.of(new LoopConfig(1, 0), registry);

        new PendingCallResults(states, registry, outcomes(loops), guard, published::add).end(AT,
                ResumedCall.ended(pending(), Completion.completed("h-1", StringNode.valueOf("built"), null)),
                () -> done++);

        assertThat(result(published.getFirst()).notice()).contains("same result 1 time in this turn");
        assertThat(header(published.getFirst(), WireHeaders.LOOP)).startsWith("1 ");
    }

    // Otherwise: who counts builds has to join the final result with a record of tool.pending that is deleted.
    @Test
    void aFinalResultNamesTheHandleThatItsCallWaitedFor() {
        waits();
        end(Completion.completed("h-1", StringNode.valueOf("built"), null));

        assertThat(published).singleElement().satisfies(outcome -> assertThat(outcome.records())
                .anySatisfy(record -> assertThat(new String(record.value(), UTF_8)).contains("\"status\":\"ok\"",
                        "\"handle\":\"h-1\"")));
    }

    @Test
    void anErrorEventNamesTheHandleByWhoseEndItsCallFailed() {
        waits();
        end(Completion.failed("h-1", ToolError.of(ErrorCode.E_TOOL, "It broke."), null));

        assertThat(published).singleElement().satisfies(outcome -> {
            ToolErrorEvent event = WireCodec.of(ToolErrorEvent.class).read(outcome.records().get(1).value());
            assertThat(event.error().message()).isEqualTo("It broke.");
            assertThat(event.handle()).isEqualTo("h-1");
        });
    }

    // Its handle has ended: otherwise the call would never end.
    @Test
    void anEndOfAKindOfALaterVersionEndsTheCallAsUnknown() {
        waits();
        end(new Completion("h-1", Completion.Kind.UNKNOWN, null, null, null, null));

        assertThat(published).singleElement().satisfies(outcome -> assertThat(outcome.records())
                .anySatisfy(
                        record -> assertThat(new String(record.value(), UTF_8)).contains("E_TOOL_OUTCOME_UNKNOWN")));
    }

    // Read again after a crash it is judged again; once it is committed, it is done.
    @Test
    void anOutputThatBreaksItsSchemaEndsTheCallWithAnErrorOnce() {
        waits();
        PendingCallResults ends = new PendingCallResults(states,
                TestResources.checked(() -> Map.of("run", (ctx, input) -> null),
                        "{\"type\": \"object\", \"properties\": {\"image\": {\"type\": \"string\"}}}"),
                outcomes, guard, published::add);
        ResumedCall broken = ResumedCall.ended(pending(new ToolRef("acme", "t", "run")),
                Completion.completed("h-1", Json.MAPPER.createObjectNode().put("image", 1), null));

        ends.end(AT, broken, () -> done++);

        Outcome outcome = published.getFirst();
        assertThat(outcome.records()).extracting(ProducerRecord::topic).containsExactly("tool.result", "tool.error",
                "tool.journal");
        assertThat(requireNonNull(result(outcome).error()).code()).isEqualTo("E_TOOL_RESULT_INVALID");
        assertThat(requireNonNull(result(outcome).error()).message()).contains("'ci__build'", "output.image:");
        outcome.sequel().committed(8, 9);
        ends.end(AT, broken, () -> done++);
        assertThat(published.getLast().records()).as("its call has ended").isEmpty();
    }

    @Test
    void anOutputThatFitsItsSchemaIsTheResult() {
        waits();

        new PendingCallResults(states, TestResources.checked(() -> Map.of("run", (ctx, input) -> null),
                "{\"type\": \"string\"}"), outcomes, guard, published::add).end(AT,
                        ResumedCall.ended(pending(new ToolRef("acme", "t", "run")),
                                Completion.completed("h-1", StringNode.valueOf("built"), null)),
                        () -> done++);

        assertThat(result(published.getFirst()).status()).isEqualTo(ResultStatus.OK);
    }

    private static PendingCall pending() {
        return pending(null);
    }

    private static PendingCall pending(@Nullable ToolRef tool) {
        return new PendingCall("h-1", PendingCall.Kind.ASYNC, CALL, 3, 42, null, null, CALLED.plusSeconds(60), null,
                null, CALLED, new CallOrigin("sha256:" + "ab".repeat(32), 2, tool, CALLED, null));
    }

    private void waits() {
        states.opened(3, 7, state);
        state.restorePending(new OpenHandle(identity(), "sha256:" + "ab".repeat(32), "h-1", 42, "i", "c1", "coder",
                "t", "s", CALLED));
    }

    private static String identity() {
        return CallIdentity.of(CALL, 3, 42).text();
    }

    private static ToolResult result(Outcome outcome) {
        return WireCodec.of(ToolResult.class).read(outcome.records().getFirst().value());
    }

    @Test
    void theFinalResultClosesTheJournalAndIsCommittedWithTheOutcomesOffset() {
        waits();

        end(Completion.completed("h-1", StringNode.valueOf("built"), null));

        Outcome outcome = published.getFirst();
        assertThat(outcome.position()).isEqualTo(AT);
        assertThat(outcome.records()).extracting(ProducerRecord::topic)
                .as("with the labels of a tool that is not at hand")
                .containsExactly("tool.result", "tool.journal", "tool.journal", "tool.journal");
        assertThat(outcome.records()).extracting(ProducerRecord::partition).containsOnly(3);
        assertThat(outcome.records().getLast().value()).as("a tombstone").isNull();
        assertThat(new String(outcome.records().getLast().key(), UTF_8)).isEqualTo(identity());
        ToolResult result = result(outcome);
        assertThat(result.status()).isEqualTo(ResultStatus.OK);
        assertThat(result.output()).isEqualTo(StringNode.valueOf("built"));
        assertThat(result.callOffset()).isEqualTo(42);
        assertThat(result.attempt()).isEqualTo(2);
        assertThat(result.fingerprint()).isEqualTo("sha256:" + "ab".repeat(32));
        assertThat(result.stepId()).isEqualTo("s");
        assertThat(requireNonNull(result.timing()).totalMs()).isEqualTo(90_000);
        assertThat(header(outcome, WireHeaders.IDENTITY)).isEqualTo(identity());
        assertThat(header(outcome, "ce_id")).as("not that of the pending result").isEqualTo("3-12-resumed");

        assertThat(done).as("not before it is committed").isZero();
        outcome.sequel().committed(8, 9);
        assertThat(done).isEqualTo(1);
        assertThat(state.pending()).isZero();
    }

    private static String header(Outcome outcome, String name) {
        return new String(outcome.records().getFirst().headers().lastHeader(name).value(), UTF_8);
    }

    @Test
    void aFailureIsAnErrorEventToo() {
        waits();

        end(Completion.failed("h-1", new ToolError("E_BUILD", null, "link failed", null, null), null));

        assertThat(published.getFirst().records()).extracting(ProducerRecord::topic).containsExactly("tool.result",
                "tool.error", "tool.journal", "tool.journal", "tool.journal");
        assertThat(requireNonNull(result(published.getFirst()).error()).code()).isEqualTo("E_BUILD");
    }

    @Test
    void whatWasCancelledIsCancelledWhateverItsSenderCallsIt() {
        waits();

        end(Completion.cancelled("h-1", new ToolError("E_STOPPED", null, "stopped by ops", null, null), null));

        ToolError error = requireNonNull(result(published.getFirst()).error());
        assertThat(error.code()).isEqualTo(ErrorCode.E_TOOL_CANCELLED.name());
        assertThat(error.message()).isEqualTo("stopped by ops");
        assertThat(error.suggestion()).isNotBlank();
    }

    @Test
    void anOutcomeThatNobodyWaitsForIsDone() {
        states.opened(3, 7, state);

        end(Completion.completed("h-1", null, null));

        assertThat(published.getFirst().records()).isEmpty();
        assertThat(published.getFirst().position()).isEqualTo(AT);
    }

    // It ended the worker, and then the next.
    @Test
    void progressIsNoOutcomeAndIsPassedOver() {
        waits();

        end(Completion.progress("h-1", new Progress(0.5, "half way"), null));

        assertThat(published.getFirst().records()).isEmpty();
        assertThat(state.pending()).as("its call still waits").isEqualTo(1);
    }

    @Test
    void withoutThePartitionNothingIsPublished() {
        end(Completion.completed("h-1", null, null));

        assertThat(published).isEmpty();
        assertThat(done).as("its place is free").isEqualTo(1);
    }

    @Test
    void whatDoesNotFitSaysSoAndSoDoesWhatTheGuardBreaksOn() {
        waits();
        end(Completion.completed("h-1", StringNode.valueOf("x".repeat(200_000)), null));
        assertThat(requireNonNull(result(published.getFirst()).error()).code()).isEqualTo("E_TOOL_RESULT_TOO_LARGE");
        published.getFirst().sequel().committed(1, 1);

        waits();
        guard = (tool, reply) -> {
            throw new IllegalStateException("broken pattern");
        };
        end(Completion.completed("h-1", StringNode.valueOf("secret"), null));
        assertThat(requireNonNull(result(published.getLast()).error()).message()).contains("withheld");
    }

    @Test
    void whatTheBrokerRefusesIsReplacedAndTheJournalIsClosedAllTheSame() {
        waits();
        end(Completion.completed("h-1", null, null));

        Outcome instead = requireNonNull(
                published.getFirst().sequel().refused(new RecordTooLargeException("a smaller topic")));

        assertThat(instead.position()).isEqualTo(AT);
        assertThat(instead.records()).extracting(ProducerRecord::topic).containsExactly("tool.result", "tool.error",
                "tool.journal", "tool.journal", "tool.journal");
        assertThat(done).isZero();
        instead.sequel().committed(1, 1);
        assertThat(done).isEqualTo(1);
    }

    @Test
    void anAssignmentThatEndsHandsNothingOver() {
        waits();
        end(Completion.completed("h-1", null, null));

        assertThat(published.getFirst().sequel().handOver()).as("the next owner reads the outcome itself").isNull();
        assertThat(done).isEqualTo(1);
    }
}
