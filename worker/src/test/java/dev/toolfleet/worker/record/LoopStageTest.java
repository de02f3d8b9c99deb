package dev.toolfleet.worker.record;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;

import dev.toolfleet.error.ErrorCode;
import dev.toolfleet.json.Json;
import dev.toolfleet.middleware.ToolReply;
import dev.toolfleet.topic.WireHeaders;
import dev.toolfleet.wire.CallIntent;
import dev.toolfleet.wire.ResumedCall;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.wire.ToolError;
import dev.toolfleet.wire.ToolResult;
import dev.toolfleet.worker.TestResources;
import dev.toolfleet.worker.assignment.Position;
import dev.toolfleet.worker.call.CallFacts;
import dev.toolfleet.worker.call.Identified;
import dev.toolfleet.worker.call.TestCalls;
import dev.toolfleet.worker.commit.Outcome;
import dev.toolfleet.worker.guard.ResultGuard.Guarded;
import dev.toolfleet.worker.identity.Arrival;
import dev.toolfleet.worker.identity.DedupeConfig;
import dev.toolfleet.worker.identity.IdentifiedCall;
import dev.toolfleet.worker.identity.LoopMark;
import dev.toolfleet.worker.identity.PartitionState;
import dev.toolfleet.worker.registry.RegisteredTool;
import dev.toolfleet.worker.telemetry.WorkerMeters;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.POJONode;
import tools.jackson.databind.node.StringNode;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

/// Counting, notice and refusal of calls that repeat, from a reply to its records.
class LoopStageTest extends OutcomeRecordsFixture {
    private static final ToolReply DONE = new ToolReply.Ok(StringNode.valueOf("done"));

    private final PartitionState state = new PartitionState(new DedupeConfig(Duration.ofMinutes(1), 10), () -> 0);
    private LoopStage loops = stage(3, 5);
    private long offset;

    @Test
    void fromTheNoticeOnEachResultSaysWhatRepeatsAndHowOften() {
        assertThat(ended(DONE).notice()).isNull();
        assertThat(ended(DONE).notice()).isNull();
        assertThat(ended(DONE).notice()).contains("'t__x'", "same result 3 times in a row", "other arguments",
                "After 5 times it is refused");
        assertThat(ended(DONE).notice()).contains("4 times in a row");
        assertThat(ended(new ToolReply.Ok(StringNode.valueOf("news"))).notice()).isNull();
    }

    @Test
    void anErrorCarriesTheNoticeToo() {
        ToolReply failed = new ToolReply.Failed(ToolError.of(ErrorCode.E_TOOL_DENIED, "no"));
        ended(failed);
        ended(failed);

        ToolResult third = ended(failed);

        assertThat(third.notice()).contains("3 times in a row");
        assertThat(requireNonNull(third.error()).code()).isEqualTo("E_TOOL_DENIED");
    }

    @Test
    void resultsAreTheSameByStatusAndOutputOrByCodeAndMessage() {
        assertThat(counts("{\"a\":1,\"b\":2}", "{\"b\":2,\"a\":1.0}")).isEqualTo(2);
        assertThat(counts("{\"a\":1}", "{\"a\":2}")).isEqualTo(1);
        assertThat(counts("[\"E\",\"m\"]", null)).as("an error is no output").isEqualTo(1);
        ToolError one = new ToolError("E_X", "X", "m", "Try this.", null);
        assertThat(count(one, new ToolError("E_X", null, "m", "Or that.", null))).isEqualTo(2);
        assertThat(count(one, new ToolError("E_Y", "X", "m", null, null))).isEqualTo(1);
        assertThat(count(one, new ToolError("E_X", "X", "n", null, null))).isEqualTo(1);
        assertThat(count(ToolError.of(ErrorCode.E_TOOL, "no"), ToolError.of(ErrorCode.E_TOOL, "no, neither")))
                .as("a handler's own message").isEqualTo(1);
    }

    /// A call that always times out is the likeliest loop, and its message has another deadline each time.
    @Test
    void errorsOfTheFleetAreTheSameByTheirCode() {
        assertThat(count(ToolError.of(ErrorCode.E_TOOL_TIMEOUT, "before its deadline 2026-03-01T09:00:00Z"),
                ToolError.of(ErrorCode.E_TOOL_TIMEOUT, "before its deadline 2026-03-01T09:00:07Z"))).isEqualTo(2);
    }

    @Test
    void afterTheLastTimeTheCallIsRefusedAndRefusalsCount() {
        for (int n = 0; n < 4; n++)
            ended(DONE);
        assertThat(refusal(next())).isNull();
        ended(DONE);

        ToolError refusal = requireNonNull(refusal(next()));

        assertThat(refusal.code()).isEqualTo("E_TOOL_LOOP");
        assertThat(refusal.message()).isEqualTo("This call of 't__x' has ended with the same result 5 times in a row in"
                + " this turn. It was not started again.");
        ToolResult refused = result(refused(refusal));
        assertThat(refused.notice()).as("the error says it").isNull();
        assertThat(requireNonNull(refusal(next())).message()).contains("6 times");
    }

    @Test
    void aLayerThatRewritesARefusalDoesNotEndTheLoop() {
        for (int n = 0; n < 5; n++)
            ended(DONE);

        records(run(next()).looped(), new ToolReply.Ok(StringNode.valueOf("sorry")));

        assertThat(refusal(next())).isNotNull();
    }

    @Test
    void aHandlersOwnErrorOfThatCodeIsAResultLikeAnyOther() {
        ToolReply own = new ToolReply.Failed(ToolError.of(ErrorCode.E_TOOL_LOOP, "mine"));
        ended(DONE);
        ended(DONE);
        ended(own);

        assertThat(ended(DONE).notice()).as("begins anew").isNull();
    }

    @Test
    void zeroSwitchesEitherOff() {
        loops = stage(0, 2);
        assertThat(ended(DONE).notice()).isNull();
        assertThat(ended(DONE).notice()).isNull();
        assertThat(refusal(next())).isNotNull();

        loops = stage(2, 0);
        assertThat(ended(DONE).notice()).contains("3 times").doesNotContain("refused");
        assertThat(refusal(next())).isNull();

        loops = stage(0, 0);
        assertThat(mark(records(run(next()), DONE))).isNull();
    }

    @Test
    void anExportThatMayRepeatIsNeitherCountedNorRefused() {
        RegisteredTool tool = TestResources.repeating();
        loops = new LoopStage(new LoopConfig(1, 1), run -> Optional.of(tool.export()));

        assertThat(mark(records(run(next()), DONE))).isNull();
        loops = stage(1, 1);
        ended(DONE);
        assertThat(refusal(next())).isNotNull();
        assertThat(loops.refusal(run(next()), true)).isNull();
    }

    @Test
    void anApprovedCallIsCountedAndNeverRefused() {
        for (int n = 0; n < 5; n++)
            ended(DONE);
        Arrival.Call arrival = next().arrival();
        CallFacts granted = TestCalls.granted(Arrival.Granted.of(Position.resumed(3, 7, 12),
                new ResumedCall(arrival.call(), 42,
                        new ResumedCall.Grant("h", "sha256:0", "r", null, null, null, "ann", NOW), null, null, null),
                10, () -> {}), NOW.toEpochMilli()).recalledBy(state);

        assertThat(loops.refusal(granted, false)).isNull();
        assertThat(requireNonNull(mark(records(granted, DONE))).count()).isEqualTo(6);
    }

    @Test
    void aCallThatAnEarlierOwnerBeganIsNotRefused() {
        for (int n = 0; n < 5; n++)
            ended(DONE);
        CallFacts begun = run(next());
        begun.course().noted(new CallIntent(begun.call().identity().text(), begun.call().fingerprint(), "t__x", 1, "w0",
                1, NOW, null, null, null));

        assertThat(loops.refusal(begun, false)).isNull();
    }

    @Test
    void onlyFinalResultsCount() {
        ToolReply pending = new ToolReply.Pending("h", StringNode.valueOf("started"), null, null);

        assertThat(mark(records(run(next()), pending))).isNull();
        assertThat(requireNonNull(mark(records(run(next()), DONE))).count()).isEqualTo(1);
    }

    @Test
    void aPendingResultThatCannotBeKeptIsAFinalError() {
        ToolReply pending = new ToolReply.Pending("h", StringNode.valueOf("x".repeat(MAX_BYTES)), null, null);

        assertThat(mark(records(run(next()), pending))).isNotNull();
    }

    @Test
    void aReplyThatIsNoJsonCountsToo() {
        ToolReply broken = new ToolReply.Ok(new POJONode(Map.of()));
        ended(broken);
        ended(broken);

        assertThat(ended(broken).notice()).contains("3 times");
    }

    @Test
    void aReplayRepeatsTheNoticeAndDoesNotCount() {
        ended(DONE);
        ended(DONE);
        ToolResult third = ended(DONE);

        Outcome replay = records().again(run(next()), third);

        assertThat(result(replay).notice()).isEqualTo(third.notice());
        assertThat(mark(replay)).isNull();
        assertThat(requireNonNull(mark(records(run(next()), DONE))).count()).isEqualTo(4);
    }

    @Test
    void aCallWithoutAPartitionIsNotCounted() {
        assertThat(mark(records(Identified.of(next(), 0), DONE))).isNull();
    }

    private int counts(String first, @Nullable String second) {
        records(run(next()), new ToolReply.Ok(Json.MAPPER.readTree(first)));
        ToolReply then = second == null
                ? new ToolReply.Failed(new ToolError("E", null, "m", null, null))
                : new ToolReply.Ok(Json.MAPPER.readTree(second));
        return requireNonNull(mark(records(run(next()), then))).count();
    }

    private int count(ToolError first, ToolError second) {
        records(run(next()), new ToolReply.Failed(first));
        return requireNonNull(mark(records(run(next()), new ToolReply.Failed(second)))).count();
    }

    private static LoopStage stage(int notice, int refuse) {
        return new LoopStage(new LoopConfig(notice, refuse), run -> Optional.empty());
    }

    private OutcomeRecords records() {
        return new OutcomeRecords(RESULTS, new SideRecords(WRITER, RESULTS, CLOCK), new JournalRecords(WRITER), CLOCK,
                "", new WorkerMeters(registry), loops, open -> {});
    }

    private Outcome records(CallFacts run, ToolReply reply) {
        return records().of(run, reply, new Guarded(reply, null));
    }

    private ToolResult ended(ToolReply reply) {
        return result(records(run(next()), reply));
    }

    private Outcome refused(ToolError error) {
        return records(run(next()).looped(), new ToolReply.Failed(error));
    }

    private @Nullable ToolError refusal(IdentifiedCall call) {
        return loops.refusal(run(call), false);
    }

    private CallFacts.Judged run(IdentifiedCall call) {
        return TestCalls.judged(Identified.of(call, NOW.toEpochMilli()).recalledBy(state));
    }

    /// The same call once more, in the next step.
    private IdentifiedCall next() {
        long at = offset++;
        ToolCall call = ToolCall.of("c" + at, "t__x", Json.MAPPER.createObjectNode().put("n", 1), "i").inStep("coder",
                "t1", "s" + at, 1);
        return IdentifiedCall.of(new Arrival.Call(new Position(3, 7, at), call, 0, null, 100));
    }

    private static @Nullable LoopMark mark(Outcome outcome) {
        String text = header(outcome.records().getFirst(), WireHeaders.LOOP);
        return text == null ? null : LoopMark.parse(text);
    }
}
