package dev.toolfleet.worker.record;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

import dev.toolfleet.error.ErrorCode;
import dev.toolfleet.json.Json;
import dev.toolfleet.middleware.ToolReply;
import dev.toolfleet.topic.WireHeaders;
import dev.toolfleet.wire.BudgetPlace;
import dev.toolfleet.wire.CallIntent;
import dev.toolfleet.wire.JournalEntry;
import dev.toolfleet.wire.OpenHandle;
import dev.toolfleet.wire.PendingCall;
import dev.toolfleet.wire.ResultStatus;
import dev.toolfleet.wire.ResumedCall;
import dev.toolfleet.wire.SpentBudget;
import dev.toolfleet.wire.ToolError;
import dev.toolfleet.wire.ToolErrorEvent;
import dev.toolfleet.wire.ToolResult;
import dev.toolfleet.wire.WireCodec;
import dev.toolfleet.worker.assignment.Position;
import dev.toolfleet.worker.call.Identified;
import dev.toolfleet.worker.call.Recalled;
import dev.toolfleet.worker.call.TestCalls;
import dev.toolfleet.worker.commit.Outcome;
import dev.toolfleet.worker.guard.ResultGuard.Guarded;
import dev.toolfleet.worker.identity.Arrival;
import dev.toolfleet.worker.identity.BudgetSpending;
import dev.toolfleet.worker.identity.DedupeConfig;
import dev.toolfleet.worker.identity.PartitionState;
import dev.toolfleet.worker.telemetry.CallMeters;
import dev.toolfleet.worker.telemetry.WorkerMeters;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.POJONode;
import tools.jackson.databind.node.StringNode;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class OutcomeRecordsTest extends OutcomeRecordsFixture {
    @Test
    void aValueIsOneResultInTheCallsPartition() {
        Outcome outcome = of(new ToolReply.Ok(StringNode.valueOf("done")));

        ProducerRecord<byte[], byte[]> record = outcome.records().getFirst();
        assertThat(outcome.records()).hasSize(1);
        assertThat(outcome.position()).isEqualTo(new Position(3, 7, 42));
        assertThat(record.topic()).isEqualTo("acme.tool.result");
        assertThat(record.partition()).isEqualTo(3);
        assertThat(new String(record.key(), UTF_8)).isEqualTo("i");
        assertThat(header(record, "toolfleet-call-offset")).isEqualTo("42");
        assertThat(header(record, "toolfleet-fingerprint")).startsWith("sha256:");
        assertThat(header(record, "toolfleet-identity")).isEqualTo("[\"i\",\"coder\",\"t1\",\"s1\",\"c1\"]");
        assertThat(result(outcome).output()).isEqualTo(StringNode.valueOf("done"));
    }

    @Test
    void aResultThatDoesNotFitSaysSo() {
        Outcome outcome = of(new ToolReply.Ok(StringNode.valueOf("x".repeat(MAX_BYTES))));

        assertThat(error(outcome).code()).isEqualTo("E_TOOL_RESULT_TOO_LARGE");
        assertThat(error(outcome).message()).contains(Integer.toString(MAX_BYTES));
        assertThat(topics(outcome)).containsExactly("acme.tool.result", "acme.tool.error");
    }

    @Test
    void aResultThatIsNoJsonSaysSo() {
        assertThat(error(of(new ToolReply.Ok(new POJONode(new Broken(1))))).code()).isEqualTo("E_TOOL_RESULT_INVALID");
    }

    @Test
    void aForgedApprovalIsADeadLetterWithItsReasonAndNoResult() {
        Identified run = TestCalls.granted(Arrival.Granted.of(Position.resumed(3, 7, 12),
                new ResumedCall(run().call().arrival().call(), 42,
                        new ResumedCall.Grant("h", "sha256:0", "r", null, null, null, "mallory", NOW), null, null,
                        null),
                10, () -> {}), NOW.toEpochMilli());

        Outcome outcome = outcomes.forged(run, "it has other arguments");

        assertThat(outcome.position()).isEqualTo(Position.resumed(3, 7, 12));
        assertThat(topics(outcome)).containsExactly("acme.tool.dead-letter");
        assertThat(header(outcome.records().getFirst(), "toolfleet-reason"))
                .isEqualTo("forged: it has other arguments");
        assertThat(header(outcome.records().getFirst(), "toolfleet-origin")).isEqualTo("acme.tool.call.resumed/3/12");
        assertThat(requireNonNull(WireCodec.of(ResumedCall.class).read(outcome.records().getFirst().value()).grant())
                .by()).isEqualTo("mallory");
        assertThat(count(CallMeters.DEAD_LETTERS)).isEqualTo(1);
    }

    @Test
    void aReplyThatNoRecordCanBeMadeOfBecomesAnError() {
        assertThat(error(of(broken())).code()).isEqualTo("E_TOOL_RESULT_INVALID");
    }

    @Test
    void errorsAreBoundedWhoeverWroteThem() {
        String huge = "x".repeat(3_000_000);
        ToolError error = error(of(new ToolReply.Failed(new ToolError(huge, huge, huge, huge, huge))));

        assertThat(error.message()).hasSize(1000).endsWith("... (truncated)");
        assertThat(Json.MAPPER.writeValueAsBytes(error).length).isLessThan(20_000);
    }

    @Test
    void errorsHaveAUtf8Form() {
        ToolError error = error(
                of(new ToolReply.Failed(new ToolError("E_X", "X", "half \ud83d", "also \ude00", null))));

        assertThat(error.message()).isEqualTo("half ?");
        assertThat(error.suggestion()).isEqualTo("also ?");
    }

    @Test
    void anErrorIsAResultAndAnEventWithoutTheArguments() {
        Outcome outcome = of(new ToolReply.Failed(ToolError.of(ErrorCode.E_TOOL_TIMEOUT, "too late")));

        ToolErrorEvent event = WireCodec.of(ToolErrorEvent.class).read(outcome.records().get(1).value());
        assertThat(event.toolCallId()).isEqualTo("c1");
        assertThat(event.error()).isEqualTo(error(outcome));
        assertThat(event.worker()).isEqualTo("w1");
        assertThat(new String(outcome.records().get(1).value(), UTF_8)).doesNotContain("secret");
        assertThat(error(outcome).helpUrl()).isEqualTo("https://help.example/E_TOOL_TIMEOUT");
    }

    @Test
    void anErrorsOwnHelpIsKept() {
        assertThat(error(of(new ToolReply.Failed(
                new ToolError("E_X", null, "x", null, "https://acme.example/x")))).helpUrl())
                .isEqualTo("https://acme.example/x");
    }

    @Test
    void aPendingReplyIsAResultAndARecordByItsHandle() {
        Outcome outcome = of(new ToolReply.Pending("h1", StringNode.valueOf("started"), null, "token", "build queue"));

        ProducerRecord<byte[], byte[]> pending = outcome.records().get(1);
        assertThat(pending.topic()).isEqualTo("acme.tool.pending");
        assertThat(new String(pending.key(), UTF_8)).isEqualTo("h1");
        assertThat(pending.partition()).isNull();
        PendingCall held = WireCodec.of(PendingCall.class).read(pending.value());
        assertThat(held.partition()).isEqualTo(3);
        assertThat(held.callOffset()).isEqualTo(42);
        assertThat(held.deadline()).isEqualTo(NOW.plusSeconds(24 * 3600));
        assertThat(held.tokenHash()).startsWith("sha256:").doesNotContain("token");
        assertThat(held.target()).isEqualTo("build queue");
        assertThat(result(outcome).handle()).isEqualTo("h1");
    }

    @Test
    void aPendingResultIsKeptOnTheJournalUntilItsHandleIsClosed() {
        Identified first = run();
        PartitionState state = new PartitionState(new DedupeConfig(Duration.ofMinutes(1), 10), System::nanoTime);
        state.judge(first.call());
        Recalled run = first.recalledBy(state);
        ToolReply pending = new ToolReply.Pending("h-1", StringNode.valueOf("started"), null, null);

        Outcome outcome = outcomes.of(run, pending, new Guarded(pending, null));

        assertThat(topics(outcome)).containsExactly("acme.tool.result", "acme.tool.pending", "acme.tool.journal");
        OpenHandle open = (OpenHandle) JournalEntry.read(outcome.records().getLast().value());
        assertThat(open.handle()).isEqualTo("h-1");
        assertThat(open.identity()).isEqualTo(run.call().identity().text())
                .isEqualTo(new String(outcome.records().getLast().key(), UTF_8));
        PendingCall kept = WireCodec.of(PendingCall.class).read(outcome.records().get(1).value());
        assertThat(requireNonNull(kept.origin()).fingerprint()).isEqualTo(run.call().fingerprint());
        outcome.sequel().committed(5, 6);
        assertThat(state.pending()).isEqualTo(1);
    }

    @Test
    void aDuplicateOfACallWhosePendingResultIsForgottenLearnsTheHandle() {
        Outcome outcome = outcomes.stillPending(run(), "h-1");
        ToolResult result = result(outcome);
        assertThat(header(outcome.records().getFirst(), "toolfleet-replayed")).isEqualTo("true");

        assertThat(result.status()).isEqualTo(ResultStatus.PENDING);
        assertThat(result.handle()).isEqualTo("h-1");
        assertThat(result.replayed()).isTrue();
    }

    @Test
    void aCallThatTheFleetFailedToRunIsAnswered() {
        Outcome outcome = outcomes.broken(run().call().arrival(), run(), run().at(), new StackOverflowError());

        assertThat(error(outcome).code()).isEqualTo("E_TOOL");
        assertThat(error(outcome).message()).contains("StackOverflowError");
        assertThat(result(outcome).toolCallId()).isEqualTo("c1");
    }

    // Otherwise: the lane stands for ever, since making the error fails as the result did.
    @Test
    void aCallWhoseAmountsCannotBeWrittenIsAnswered() {
        PartitionState state = new PartitionState(new DedupeConfig(Duration.ofMinutes(1), 10), System::nanoTime);
        Recalled run = run().recalledBy(state);
        state.budgets().spend(run.noted(), List.of(new BudgetSpending(
                new BudgetPlace("no name of a budget", SpentBudget.CALLS, null, null, "i"), 1, 1)), Instant.EPOCH);
        ToolReply reply = new ToolReply.Ok(StringNode.valueOf("done"));

        assertThatThrownBy(() -> outcomes.of(run, reply, new Guarded(reply, null)))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(error(outcomes.broken(run.call().arrival(), run, run.at(), new IllegalArgumentException()))
                .code()).isEqualTo("E_TOOL");
    }

    @Test
    void aCallThatTheFleetFailedToRunAndThatHadBegunMayHaveHappened() {
        Identified run = run();
        run.course().noted(new CallIntent("i", "f", "t__x", 1, "w1", 1, Instant.EPOCH, null, null, null));

        assertThat(error(outcomes.broken(run.call().arrival(), run, run.at(), new StackOverflowError())).code())
                .isEqualTo("E_TOOL_OUTCOME_UNKNOWN");
    }

    @Test
    void fatesThatPromisesAreAboutAreCounted() {
        Outcome answered = of(new ToolReply.Ok(StringNode.valueOf("done")));
        assertThat(List.of(count(WorkerMeters.CALLS_REPLAYED), count(WorkerMeters.CALLS_CONFLICT),
                count(WorkerMeters.CALLS_UNKNOWN)))
                .containsOnly(0.0);

        outcomes.again(run(), result(answered));
        assertThat(count(WorkerMeters.CALLS_REPLAYED)).isEqualTo(1);
        Outcome gone = outcomes.gone(run(), "it was deleted");
        assertThat(new String(gone.records().getFirst().headers().lastHeader(WireHeaders.IDENTITY).value(), UTF_8))
                .as("it does not take the place of the earlier answer").startsWith("[\"@record\"");
        assertThat(result(gone).replayed()).isTrue();
        assertThat(count(WorkerMeters.CALLS_REPLAYED)).isEqualTo(2);
        outcomes.conflict(run());
        assertThat(count(WorkerMeters.CALLS_CONFLICT)).isEqualTo(1);
        of(new ToolReply.Failed(ToolError.of(ErrorCode.E_TOOL_OUTCOME_UNKNOWN, "nobody knows")));
        assertThat(count(WorkerMeters.CALLS_UNKNOWN)).isEqualTo(1);
    }
}
