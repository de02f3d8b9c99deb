package dev.toolfleet.client.turn;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;

import dev.toolfleet.wire.ToolError;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class ModelTurnTest {
    private final FakeTurnFleet fleet = new FakeTurnFleet();
    private final List<String> heard = new CopyOnWriteArrayList<>();
    private final AgentTurns turns = AgentTurns.of(fleet, "clerk").waitingForWork(Duration.ZERO)
            .onNews(news -> heard.add(news.call().id()));
    private final ModelTurn turn = turns.begin(new TurnStart("chat-1", "t", "ann", "web"));

    private static ModelCall call(String id) {
        return new ModelCall(id, "shop__print", "{\"pages\": 3}");
    }

    @Test
    void eachStepEndsTheOneBefore() {
        turn.nextStep();
        turn.nextStep();
        turn.end();
        turn.end();

        assertThat(fleet.events).containsExactly("begin t-step-1", "end t-step-1", "begin t-step-2", "end t-step-2");
    }

    @Test
    @Timeout(30)
    void allCallsAreSentInOrderBeforeTheFirstResultIsAwaited() {
        turn.nextStep();
        fleet.onCall("b", () -> {
            fleet.finish("b", FakeTurnFleet.ok("b", "second"));
            fleet.finish("a", FakeTurnFleet.ok("a", "first"));
        });

        List<ModelAnswer> answers = turn.answers(List.of(call("a"), call("b")));

        assertThat(fleet.events).containsExactly("begin t-step-1", "call a", "call b");
        assertThat(answers).extracting(ModelAnswer::callId).containsExactly("a", "b");
        assertThat(answers).extracting(ModelAnswer::text).containsExactly("first", "second");
    }

    @Test
    void aCallNamesStepUserAndCatalog() {
        turn.nextStep();
        fleet.finish("a", FakeTurnFleet.ok("a", "done"));
        turn.answer(call("a"));

        assertThat(fleet.calls).singleElement().satisfies(sent -> {
            assertThat(sent.instanceKey()).isEqualTo("chat-1");
            assertThat(sent.agentName()).isEqualTo("clerk");
            assertThat(sent.turnId()).isEqualTo("t");
            assertThat(sent.stepId()).isEqualTo("t-step-1");
            assertThat(sent.userId()).isEqualTo("ann");
            assertThat(sent.channelId()).isEqualTo("web");
            assertThat(sent.catalogDigest()).isEqualTo("digest-1");
            assertThat(sent.args().path("pages").asInt()).isEqualTo(3);
        });
    }

    @Test
    void theFirstAnswerSendsAllAnnouncedCalls() {
        turn.nextStep();
        turn.announce(List.of(call("a"), call("b"), call("")));
        assertThat(fleet.events).containsExactly("begin t-step-1");

        fleet.onCall("b", () -> fleet.finish("b", FakeTurnFleet.ok("b", "done")));
        assertThat(turn.answer(call("b")).text()).isEqualTo("done");
        assertThat(fleet.events).containsExactly("begin t-step-1", "call a", "call b");
        assertThat(turn.answer(call("b")).text()).isEqualTo("done");
        assertThat(fleet.events).hasSize(3);
    }

    @Test
    void theSameIdInAnotherStepIsAnotherCall() {
        fleet.finish("call_0", FakeTurnFleet.ok("call_0", "done"));
        turn.nextStep();
        turn.answer(call("call_0"));
        turn.nextStep();
        turn.answer(call("call_0"));

        assertThat(fleet.calls).extracting("stepId").containsExactly("t-step-1", "t-step-2");
    }

    @Test
    void callsWithoutAnIdGetOne() {
        fleet.finish("call-1", FakeTurnFleet.ok("call-1", "one"));
        fleet.finish("call-2", FakeTurnFleet.ok("call-2", "two"));
        turn.nextStep();

        assertThat(turn.answers(List.of(call(""), call("")))).extracting(ModelAnswer::text).containsExactly("one",
                "two");
    }

    @Test
    void anIdThatIsMadeIsNoneOfTheModels() {
        fleet.finish("call-1", FakeTurnFleet.ok("call-1", "one"));
        fleet.finish("call-2", FakeTurnFleet.ok("call-2", "two"));
        turn.nextStep();

        assertThat(turn.answers(List.of(call(""), call("call-1")))).extracting(ModelAnswer::text)
                .containsExactly("two", "one");
    }

    @Test
    void aFailedCallIsAnAnswerWithAdvice() {
        turn.nextStep();
        fleet.finish("a", FakeTurnFleet.failed("a",
                new ToolError("E_TOOL_DENIED", null, "A rule denies this.", "Ask for less.", null)));

        ModelAnswer answer = turn.answer(call("a"));

        assertThat(answer.error()).isTrue();
        assertThat(answer.text()).isEqualTo("E_TOOL_DENIED: A rule denies this.\nAsk for less.");
    }

    @Test
    void aPendingCallIsAnsweredAndItsResultIsNewsOnce() {
        turn.nextStep();
        fleet.suspend("a");

        ModelAnswer answer = turn.answer(call("a"));
        assertThat(answer.pending()).isTrue();
        assertThat(answer.text()).contains("handle is h-a", "ordered", "later message");
        assertThat(turns.takeNews("chat-1")).isEmpty();

        fleet.lastOf("a").complete(FakeTurnFleet.ok("a", "printed"));
        Awaitility.await().untilAsserted(() -> assertThat(heard).containsExactly("a"));
        assertThat(turns.takeNews("chat-2")).isEmpty();
        assertThat(turns.takeNews("chat-1")).extracting(CallNews::text)
                .containsExactly("[tool result] shop__print, called with {\"pages\":3}: ok\nprinted");
        assertThat(turns.takeNews("chat-1")).isEmpty();
    }

    @Test
    void newsThatNoModelHasReadArePutBackInTheirOrder() {
        turn.nextStep();
        for (String id : List.of("a", "b", "c")) {
            fleet.suspend(id);
            turn.answer(call(id));
        }
        fleet.lastOf("a").complete(FakeTurnFleet.ok("a", "printed"));
        fleet.lastOf("b").complete(FakeTurnFleet.ok("b", "printed"));
        List<CallNews> taken = turns.takeNews("chat-1");
        fleet.lastOf("c").complete(FakeTurnFleet.ok("c", "printed"));

        turns.putBackNews(taken);

        assertThat(turns.takeNews("chat-1")).extracting(news -> news.call().id()).containsExactly("a", "b", "c");
        Awaitility.await().untilAsserted(() -> assertThat(heard).hasSize(3));
    }

    @Test
    void aCallThatIsAnsweredTwiceIsNewsOnce() {
        turn.nextStep();
        fleet.suspend("a");
        turn.answers(List.of(call("a"), call("a")));
        fleet.lastOf("a").complete(FakeTurnFleet.ok("a", "printed"));

        assertThat(fleet.calls).hasSize(1);
        assertThat(turns.takeNews("chat-1")).hasSize(1);
    }

    @Test
    void aFinalResultBehindAPendingOneIsTheAnswer() {
        turn.nextStep();
        fleet.suspend("a");
        fleet.last.put("a", CompletableFuture.completedFuture(FakeTurnFleet.ok("a", "printed")));

        assertThat(turn.answer(call("a")).text()).isEqualTo("printed");
        assertThat(heard).isEmpty();
    }

    @Test
    void aPendingCallWhoseWaitFailsIsNewsToo() {
        turn.nextStep();
        fleet.suspend("a");
        turn.answer(call("a"));
        fleet.lastOf("a").completeExceptionally(new IllegalStateException("the gateway is gone"));

        assertThat(turns.takeNews("chat-1")).singleElement().satisfies(
                news -> assertThat(news.text()).contains("unknown", "the gateway is gone", "Do not repeat"));
    }

    @Test
    void aCallThatWasNotConfirmedMayHaveRunAndTheOthersAreAnswered() {
        turn.nextStep();
        fleet.lose("a", "the broker was away");
        fleet.finish("b", FakeTurnFleet.ok("b", "done"));

        List<ModelAnswer> answers = turn.answers(List.of(call("a"), call("b")));

        assertThat(answers.getFirst().error()).isTrue();
        assertThat(answers.getFirst().text()).contains("the broker was away", "may have run", "Do not repeat");
        assertThat(answers.getLast().text()).isEqualTo("done");
    }

    @Test
    void aCallThatCannotBeSentKeepsNoOtherFromIt() {
        turn.nextStep();
        fleet.onCall("a", () -> {
            throw new IllegalArgumentException("the id is too long");
        });
        fleet.finish("b", FakeTurnFleet.ok("b", "done"));

        assertThat(turn.answers(List.of(call("a"), call("b")))).extracting(ModelAnswer::text).satisfiesExactly(
                refused -> assertThat(refused).contains("could not be sent", "the id is too long"),
                sent -> assertThat(sent).isEqualTo("done"));
    }

    @Test
    void argumentsThatAreNoJsonReachTheFleetAsText() {
        turn.nextStep();
        fleet.finish("a", FakeTurnFleet.ok("a", "done"));
        turn.answer(new ModelCall("a", "shop__print", "{\"pages\": "));
        fleet.finish("b", FakeTurnFleet.ok("b", "done"));
        turn.answer(new ModelCall("b", "shop__print", " "));

        assertThat(fleet.calls.getFirst().args().isString()).isTrue();
        assertThat(fleet.calls.getLast().args().isObject()).isTrue();
    }

    @Test
    void aCallBeforeTheFirstStepIsRefused() {
        assertThatThrownBy(() -> turn.answer(call("a"))).isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("nextStep()");
    }
}
