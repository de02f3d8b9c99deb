package dev.toolfleet.cli.play;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import dev.toolfleet.cli.script.DefaultAgent;
import dev.toolfleet.cli.script.RunScript;
import dev.toolfleet.cli.script.ScriptCall;
import dev.toolfleet.cli.script.ScriptReader;
import dev.toolfleet.cli.script.ScriptReader.ScriptException;
import dev.toolfleet.wire.CancelCall;
import dev.toolfleet.wire.Completion;
import dev.toolfleet.wire.Decision;
import dev.toolfleet.wire.PendingCall;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ScriptActsTest {
    private final List<String> sent = new ArrayList<>();
    private final List<CompletableFuture<Void>> answers = new ArrayList<>();
    private final List<String> asked = new ArrayList<>();
    private final List<CompletableFuture<PendingCall.Kind>> kinds = new ArrayList<>();
    private final List<Runnable> later = new ArrayList<>();
    private final List<Duration> delays = new ArrayList<>();
    private List<ScriptCall> calls = List.of();
    private ScriptActs acts = new ScriptActs(List.of(), new Recording(), new ByHand());

    @BeforeEach
    void begin() throws ScriptException {
        RunScript script = ScriptReader.read("""
                {"name":"builds__start","id":"c1"}
                {"type":"completion","toolCallId":"c1","kind":"progress","progress":10}
                {"type":"completion","handle":"h-2","kind":"cancelled"}
                {"type":"completion","toolCallId":"c1","kind":"completed","output":{}}
                {"name":"builds__start","id":"c2"}
                {"type":"cancel","toolCallId":"c2","afterMs":200}
                """.getBytes(StandardCharsets.UTF_8), new DefaultAgent.Named("coder"));
        calls = script.calls();
        acts = new ScriptActs(script.acts(), new Recording(), new ByHand());
    }

    @Test
    void completionsWaitForThePendingResultAndKeepTheirOrder() {
        acts.sent(calls.getFirst());
        assertThat(sent).isEmpty();

        acts.pending(calls.getFirst(), "h-1");
        acts.pending(calls.getLast(), "h-2");

        assertThat(sent).containsExactly("progress h-1", "completed h-1", "cancelled h-2");
    }

    @Test
    void aCancellationWaitsUntilItsCallWasSentAndThenItsTime() {
        assertThat(acts.underWay()).isFalse();
        acts.sent(calls.getLast());

        assertThat(delays).containsExactly(Duration.ofMillis(200));
        assertThat(sent).isEmpty();
        assertThat(acts.underWay()).isTrue();
        later.getFirst().run();
        assertThat(sent).containsExactly("cancel c2");
        assertThat(acts.underWay()).as("until the broker has it").isTrue();
        answers.getFirst().complete(null);
        assertThat(acts.underWay()).isFalse();
    }

    @Test
    void aCancellationOfAPendingCallWaitsForItsPendingResult() throws ScriptException {
        RunScript script = ScriptReader.read("""
                {"name":"builds__start","id":"c1"}
                {"type":"cancel","toolCallId":"c1","when":"pending","afterMs":200}
                """.getBytes(StandardCharsets.UTF_8), new DefaultAgent.Named("coder"));
        acts = new ScriptActs(script.acts(), new Recording(), new ByHand());
        acts.sent(script.calls().getFirst());
        assertThat(delays).isEmpty();
        assertThat(acts.unsent()).singleElement().asString().contains("got no pending result");

        acts.pending(script.calls().getFirst(), "h-1");

        assertThat(delays).containsExactly(Duration.ofMillis(200));
        later.getFirst().run();
        assertThat(sent).containsExactly("cancel c1");
    }

    @Test
    void whatWasNotSentIsReportedWithItsLine() {
        acts.sent(calls.getLast());
        acts.pending(calls.getFirst(), "h-1");
        answers.getFirst().completeExceptionally(new IllegalStateException("no broker"));
        answers.get(1).complete(null);

        assertThat(acts.unsent()).containsExactly(
                "completion (line 2, progress) was not sent: no broker",
                "cancel (line 6) was not sent: its time had not come",
                "completion (line 3, cancelled) was not sent: no call got a pending result with handle 'h-2'");
    }

    @Test
    void aCallThatNeverBecomesPendingIsNamed() {
        assertThat(acts.unsent()).contains("completion (line 4, completed) was not sent: c1 (line 1, builds__start,"
                + " instance default) got no pending result");
    }

    private static RunScript script(String lines) throws ScriptException {
        return ScriptReader.read(lines.getBytes(StandardCharsets.UTF_8), new DefaultAgent.Named("coder"));
    }

    private ScriptCall begin(String lines) throws ScriptException {
        RunScript script = script(lines);
        acts = new ScriptActs(script.acts(), new Recording(), new ByHand());
        return script.calls().getFirst();
    }

    @Test
    void aDecisionWaitsUntilItsCallWaitsForAPerson() throws ScriptException {
        ScriptCall call = begin("""
                {"name":"market__sell","id":"c7"}
                {"type":"decision","toolCallId":"c7","decision":"approve","by":"ann"}
                """);
        acts.sent(call);
        assertThat(asked).isEmpty();

        acts.pending(call, "a-1");

        assertThat(asked).containsExactly("a-1");
        assertThat(acts.underWay()).as("until it is known what is awaited").isTrue();
        kinds.getFirst().complete(PendingCall.Kind.APPROVAL);
        assertThat(sent).containsExactly("approve a-1 by ann");
        answers.getFirst().complete(null);
        assertThat(acts.underWay()).isFalse();
        assertThat(acts.unsent()).isEmpty();
    }

    @Test
    void whatComesAfterAnApprovalIsForTheWorkAndASecondDecisionForTheNextQuestion() throws ScriptException {
        ScriptCall call = begin("""
                {"name":"builds__start","id":"c7"}
                {"type":"completion","toolCallId":"c7","kind":"completed","output":{}}
                {"type":"decision","toolCallId":"c7","decision":"approve"}
                {"type":"decision","toolCallId":"c7","decision":"approve","by":"ben"}
                """);

        pend(call, "a-1", PendingCall.Kind.APPROVAL);
        acts.pending(call, "a-1");
        assertThat(sent).containsExactly("approve a-1 by script");
        pend(call, "a-2", PendingCall.Kind.APPROVAL);
        assertThat(sent).containsExactly("approve a-1 by script", "approve a-2 by ben");
        pend(call, "build-1", PendingCall.Kind.ASYNC);

        assertThat(sent).last().isEqualTo("completed build-1");
        answers.forEach(answer -> answer.complete(null));
        assertThat(acts.unsent()).isEmpty();
    }

    @Test
    void aDecisionAboutACallThatWaitsForNoPersonSaysSoWithItsLine() throws ScriptException {
        ScriptCall call = begin("""
                {"name":"builds__start","id":"c7"}
                {"type":"decision","toolCallId":"c7","decision":"reject"}
                {"type":"decision","handle":"a-9","decision":"reject"}
                """);
        pend(call, "build-1", PendingCall.Kind.ASYNC);

        assertThat(sent).isEmpty();
        assertThat(acts.unsent()).containsExactly(
                "decision (line 2, reject) was not sent: c7 (line 1, builds__start, instance default) waits for its"
                        + " work, not for a person's decision; look whether a rule asks for approval of it (toolfleet"
                        + " policy explain builds__start)",
                "decision (line 3, reject) was not sent: no call got a pending result with handle 'a-9'");
    }

    @Test
    void aDecisionThatNobodyCanPlaceIsReported() throws ScriptException {
        ScriptCall call = begin("""
                {"name":"market__sell","id":"c7"}
                {"type":"decision","toolCallId":"c7","decision":"approve"}
                """);
        assertThat(acts.unsent()).containsExactly("decision (line 2, approve) was not sent: c7 (line 1, market__sell,"
                + " instance default) got no pending result to decide about");

        acts.pending(call, "a-1");
        kinds.getFirst().completeExceptionally(new IllegalStateException("its call has ended"));
        assertThat(acts.unsent()).containsExactly("decision (line 2, approve) was not sent: its call has ended");
        assertThat(acts.underWay()).isFalse();
    }

    private void pend(ScriptCall call, String handle, PendingCall.Kind kind) {
        acts.pending(call, handle);
        kinds.getLast().complete(kind);
    }

    private final class Recording implements ScriptActs.Sender {
        @Override
        public CompletionStage<Void> decide(Decision decision) {
            return sent(decision.decision().text() + " " + decision.handle() + " by " + decision.by());
        }

        @Override
        public CompletionStage<PendingCall.Kind> awaited(String handle) {
            asked.add(handle);
            kinds.add(new CompletableFuture<>());
            return kinds.getLast();
        }

        @Override
        public CompletionStage<Void> complete(Completion completion) {
            return sent(completion.kind().text() + " " + completion.handle());
        }

        @Override
        public CompletionStage<Void> cancel(CancelCall cancel) {
            return sent("cancel " + cancel.toolCallId());
        }

        private CompletionStage<Void> sent(String what) {
            sent.add(what);
            answers.add(new CompletableFuture<>());
            return answers.getLast();
        }
    }

    private final class ByHand implements ScriptActs.Loop {
        @Override
        public void run(Runnable task) {
            task.run();
        }

        @Override
        public void runAfter(Duration delay, Runnable task) {
            delays.add(delay);
            later.add(task);
        }
    }
}
