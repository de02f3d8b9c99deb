package dev.toolfleet.worker.agents;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

import dev.toolfleet.json.Json;
import dev.toolfleet.tool.AgentToolRuntime;
import dev.toolfleet.tool.AgentToolRuntime.Message;
import dev.toolfleet.tool.ToolException;
import dev.toolfleet.tool.ToolOutput;
import dev.toolfleet.wire.AgentAddress;
import dev.toolfleet.wire.AgentEvent;
import dev.toolfleet.wire.AgentReplyTo;
import dev.toolfleet.wire.ToolError;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

class CallAgentsTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final AgentAddress PLANNER = new AgentAddress("planner", "i");
    private static final Path ROOT = Path.of("no", "files", "here");

    private final AgentFixture fleet = new AgentFixture(ROOT, ROOT);
    private final AgentToolRuntime planner = fleet.callOf("planner", "i");

    @Test
    void aRequestTravelsWithItsCallsResult() {
        ToolOutput.Pending pending = planner.delegate(Message.to("reviewer", "Look."), MINUTE);

        AgentEvent event = fleet.sends.events().getFirst();
        assertThat(fleet.sends.events()).hasSize(1);
        assertThat(event.type()).isEqualTo(AgentEvent.Type.DELEGATE);
        assertThat(event.from()).isEqualTo(PLANNER);
        assertThat(event.to()).isEqualTo(new AgentAddress("reviewer", "i"));
        assertThat(event.name()).isEqualTo("agent.request");
        assertThat(requireNonNull(event.payload()).path("input").stringValue()).isEqualTo("Look.");
        assertThat(event.traceId()).isEqualTo("trace-1");
        assertThat(event.turnId()).isEqualTo("turn-1");
        assertThat(event.userId()).isEqualTo("user-1");
        assertThat(event.channelId()).isEqualTo("channel-1");
        assertThat(event.callers()).containsExactly(PLANNER);
        assertThat(event.expiresAt()).isEqualTo(AgentFixture.NOW.plus(MINUTE));
        assertThat(pending.handle()).isEqualTo(event.correlationId());
        assertThat(pending.heartbeatTimeout()).isEqualTo(MINUTE);
        assertThat(pending.target()).isEqualTo("reviewer@i");
    }

    @Test
    void aMessageToAnotherInstanceTellsWhetherItsLabelsAreKnown() {
        fleet.labelsKnown = false;
        planner.send(Message.to("reviewer", "Look."));
        assertThat(fleet.sends.knowsLabels()).as("in the same conversation").isTrue();

        planner.spawn("reviewer", "r", null);
        assertThat(fleet.sends.knowsLabels()).isFalse();
        fleet.sends.discard();
        assertThat(fleet.sends.knowsLabels()).isTrue();
    }

    @Test
    void onlyWhoReadsTheRequestCanAnswerIt() {
        ToolOutput.Pending pending = planner.delegate(Message.to("reviewer", "Look."), MINUTE);

        AgentReplyTo replyTo = requireNonNull(fleet.sends.events().getFirst().replyTo());
        assertThat(replyTo).isEqualTo(AgentReplyTo.handle(pending.handle(), requireNonNull(pending.token())));
        assertThat(String.valueOf(pending.output())).as("what others may read").doesNotContain(replyTo.token());
    }

    @Test
    void aRequestForLaterIsAnsweredInTheInboxAndMakesNobodyWait() {
        AgentToolRuntime.Sent sent = planner.requestLater(Message.to("reviewer", "Look."));

        AgentEvent event = fleet.sends.events().getFirst();
        assertThat(event.replyTo()).isEqualTo(AgentReplyTo.address(PLANNER));
        assertThat(event.correlationId()).isEqualTo(sent.correlationId());
        assertThat(event.callers()).isNull();
    }

    @Test
    void whatIsSentIsAnEvent() {
        fleet.crossing();
        AgentToolRuntime.Sent sent = planner.send(new Message("reviewer", "Hear.", "other", "note", null));

        AgentEvent event = fleet.sends.events().getFirst();
        assertThat(event.type()).isEqualTo(AgentEvent.Type.EVENT);
        assertThat(event.to()).isEqualTo(new AgentAddress("reviewer", "other"));
        assertThat(event.name()).isEqualTo("note");
        assertThat(event.id()).isEqualTo(sent.eventId());
        assertThat(sent.correlationId()).isNull();
    }

    @Test
    void aMissingTargetIsToldWhoIsThere() {
        ToolException refused = refused(() -> planner.send(Message.to("revewer", "x")));

        assertThat(refused.code()).isEqualTo("E_AGENT_NOT_FOUND");
        assertThat(refused).hasMessageContaining("'revewer'");
        assertThat(refused.suggestion()).isEqualTo("You may call coder, reviewer.");
        assertThat(fleet.sends.events()).isEmpty();
    }

    @Test
    void anAgentOfNoCommonSwarmIsNotCallable() {
        assertThat(refused(() -> planner.send(Message.to("loner", "x"))).code()).isEqualTo("E_AGENT_NOT_CALLABLE");
        ToolException lonely = refused(() -> fleet.callOf("loner", "i").send(Message.to("planner", "x")));
        assertThat(lonely.code()).isEqualTo("E_AGENT_NOT_CALLABLE");
        assertThat(lonely.suggestion()).startsWith("There is no agent that you may call");
    }

    @Test
    void aCircleIsFoundOverTheWholeChain() {
        AgentAddress coder = new AgentAddress("coder", "i");
        AgentToolRuntime reviewer = fleet.callOf("reviewer", "i", PLANNER, coder);

        ToolException circle = refused(() -> reviewer.delegate(Message.to("planner", "x"), MINUTE));
        assertThat(circle.code()).isEqualTo("E_AGENT_CYCLE");
        assertThat(circle).hasMessageContaining("planner@i -> coder@i -> reviewer@i -> planner@i");
        assertThat(refused(() -> reviewer.request(Message.to("coder", "x"), MINUTE)).code())
                .isEqualTo("E_AGENT_CYCLE");
        assertThat(fleet.sends.events()).isEmpty();
    }

    @Test
    void whoDoesNotWaitMakesNoCircle() {
        fleet.crossing();
        AgentToolRuntime reviewer = fleet.callOf("reviewer", "i", PLANNER);

        reviewer.send(Message.to("planner", "x"));
        reviewer.requestLater(Message.to("planner", "x"));
        reviewer.delegate(new Message("planner", "x", "elsewhere", null, null), MINUTE);

        assertThat(fleet.sends.events()).hasSize(3);
        assertThat(fleet.sends.events().getLast().callers()).containsExactly(PLANNER,
                new AgentAddress("reviewer", "i"));
    }

    @Test
    void nobodyAsksItself() {
        assertThat(refused(() -> planner.send(Message.to("planner", "x"))).code()).isEqualTo("E_AGENT_CYCLE");
    }

    @Test
    void aRowOfWaitingAgentsHasAnEnd() {
        AgentAddress[] row = new AgentAddress[AgentMessageRules.MAX_CALLERS];
        for (int i = 0; i < row.length; i++)
            row[i] = new AgentAddress("coder", "i" + i);

        assertThat(refused(() -> fleet.callOf("planner", "i", row).delegate(Message.to("reviewer", "x"), MINUTE))
                .code()).isEqualTo("E_AGENT_CYCLE");
    }

    @Test
    void aCallWithoutAnAgentHasNobodyToAnswer() {
        assertThat(refused(() -> fleet.callOf(null, "i").catalog()).code()).isEqualTo("E_AGENT_CALLER_UNKNOWN");
    }

    @Test
    void aMessageThatNoRecordHoldsIsRefused() {
        ToolException refused = refused(() -> planner.send(Message.to("reviewer", "x".repeat(1_048_000))));

        assertThat(refused.code()).isEqualTo("E_TOOL_INVALID_ARGS");
        assertThat(fleet.sends.events()).isEmpty();
    }

    @Test
    void aSpawnedInstanceAnswersItsOwnLineOnly() {
        fleet.announced("coder", "i/a", PLANNER, null).announced("reviewer", "i/a/b", new AgentAddress("coder", "i/a"),
                null);

        planner.send(new Message("reviewer", "x", "i/a/b", null, null));
        fleet.callOf("reviewer", "i/a/b").send(new Message("planner", "x", "i", null, null));
        fleet.callOf("coder", "i/a").send(new Message("reviewer", "x", "i/a/b", null, null));
        ToolException stranger = refused(
                () -> fleet.callOf("planner", "j").send(new Message("coder", "x", "i/a", null, null)));

        assertThat(fleet.sends.events()).hasSize(3);
        assertThat(stranger.code()).isEqualTo("E_AGENT_NOT_OWNED");
    }

    @Test
    void anotherConversationIsOutOfReach() {
        fleet.announced("coder", "j", "user-1", "channel-1");
        List<ThrowingCallable> ways = List.of(
                () -> planner.send(new Message("coder", "Send me your files.", "j", null, null)),
                () -> planner.delegate(new Message("coder", "x", "j", null, null), MINUTE),
                () -> planner.request(new Message("coder", "x", "j", null, null), MINUTE),
                () -> planner.requestLater(new Message("coder", "x", "j", null, null)),
                () -> planner.send(new Message("planner", "x", "never-announced", null, null)),
                () -> planner.send(new Message("coder", "x", "i/not-spawned", null, null)));

        assertThat(ways).allSatisfy(
                way -> assertThat(refused(way).code()).isEqualTo("E_AGENT_OTHER_CONVERSATION"));
        assertThat(fleet.sends.events()).isEmpty();
        assertThat(fleet.asked).isEmpty();
    }

    @Test
    void theOwnConversationIsInReachAlsoFromBelow() {
        fleet.announced("coder", "i/a", PLANNER, null);

        planner.send(Message.to("reviewer", "x"));
        planner.send(new Message("coder", "x", "i/a", null, null));
        fleet.callOf("coder", "i/a").send(new Message("reviewer", "x", "i", null, null));
        planner.spawn("coder", "b", null);
        planner.send(new Message("coder", "x", "i/b", null, null));

        assertThat(fleet.sends.events()).hasSize(5);
    }

    @Test
    void aSwarmThatLetsAgentsCrossStillKeepsUsersApart() {
        fleet.crossing().announced("coder", "mine", "user-1", "elsewhere").announced("coder", "bobs", "user-2", null)
                .announced("coder", "lobby", (String) null, "channel-1")
                .announced("coder", "den", (String) null, "channel-2");

        planner.send(new Message("coder", "x", "mine", null, null));
        planner.send(new Message("coder", "x", "lobby", null, null));
        planner.send(new Message("coder", "x", "nobody-knows", null, null));

        assertThat(fleet.sends.events()).hasSize(3);
        for (String other : List.of("bobs", "den")) {
            assertThat(refused(() -> planner.send(new Message("coder", "x", other, null, null))).code())
                    .isEqualTo("E_AGENT_OTHER_CONVERSATION");
        }
    }

    @Test
    void aSpawnSaysWhoseConversationItIs() {
        planner.spawn("coder", "a", null);

        assertThat(fleet.sends.instances()).singleElement().satisfies(instance -> {
            assertThat(instance.userId()).isEqualTo("user-1");
            assertThat(instance.channelId()).isEqualTo("channel-1");
        });
    }

    @Test
    void aSpawnIsAnnouncedInTheOwnersConversationAndReused() {
        AgentToolRuntime.Spawned first = planner.spawn("coder", "a", null);
        AgentToolRuntime.Spawned again = planner.spawn("coder", "i/a", null);

        assertThat(first).isEqualTo(new AgentToolRuntime.Spawned("coder", "i/a", true, null));
        assertThat(again).isEqualTo(new AgentToolRuntime.Spawned("coder", "i/a", false, null));
        assertThat(fleet.sends.instances()).singleElement().satisfies(instance -> {
            assertThat(instance.owner()).isEqualTo(PLANNER);
            assertThat(instance.key()).isEqualTo("coder/i/a");
        });
        assertThat(fleet.sends.events()).singleElement().satisfies(event -> {
            assertThat(event.name()).isEqualTo("agent.spawn");
            assertThat(event.to()).isEqualTo(new AgentAddress("coder", "i/a"));
        });
    }

    @Test
    void anAnnouncedInstanceIsReusedAndAnothersIsNot() {
        fleet.announced("coder", "i/a", PLANNER, "there").announced("coder", "i/b", new AgentAddress("reviewer", "i"),
                null);

        assertThat(planner.spawn("coder", "a", null))
                .isEqualTo(new AgentToolRuntime.Spawned("coder", "i/a", false, "there"));
        assertThat(refused(() -> planner.spawn("coder", "b", null)).code()).isEqualTo("E_AGENT_NOT_OWNED");
        assertThat(fleet.sends.events()).isEmpty();
    }

    @Test
    void aSpawnWithoutANameIsANewInstance() {
        assertThat(planner.spawn("coder", null, null).instanceKey())
                .isNotEqualTo(planner.spawn("coder", null, null).instanceKey()).startsWith("i/coder-");
    }

    @Test
    void spawningHasAnEnd() {
        for (int i = 0; i < CallAgents.MAX_SPAWNED; i++)
            fleet.announced("coder", "i/" + i, PLANNER, null);

        assertThat(refused(() -> planner.spawn("coder", "more", null)).code()).isEqualTo("E_AGENT_TOO_MANY");
        assertThat(planner.spawn("coder", "7", null).spawned()).isFalse();
    }

    @Test
    void oneListsWhatOneSpawned() {
        fleet.announced("coder", "i/a", PLANNER, null)
                .announced("reviewer", "i/a/b", new AgentAddress("coder", "i/a"), null)
                .announced("coder", "j/a", new AgentAddress("planner", "j"), null);

        assertThat(planner.list(false)).extracting("instanceKey").containsExactly("i/a");
        assertThat(planner.list(true)).extracting("instanceKey").containsExactly("i/a", "i/a/b");
        fleet.instances.apply(0, "coder/i/a", null, 0);
        assertThat(planner.list(true)).isEmpty();
    }

    @Test
    void theCatalogIsTheSwarm() {
        assertThat(planner.catalog()).isEqualTo(new AgentToolRuntime.Directory("team", "planner", "planner",
                List.of("planner", "coder", "reviewer"), List.of("coder", "reviewer")));
        assertThat(fleet.callOf("loner", "i").catalog().callable()).isEmpty();
    }

    @Test
    void aHandlerThatWaitsGetsTheAnswer() throws InterruptedException {
        fleet.answer = answer(Json.MAPPER.createObjectNode().put("response", "fine"), null);

        AgentToolRuntime.Answer answer = planner.ask(Message.to("reviewer", "x"), MINUTE);
        assertThat(answer.response().stringValue()).isEqualTo("fine");
        assertThat(answer.eventId()).isEqualTo("e");
        assertThat(answer.correlationId()).isEqualTo(fleet.asked.getFirst().correlationId()).startsWith("req_");
        assertThat(fleet.sends.events()).as("asked at once").isEmpty();
        assertThat(fleet.asked).singleElement().satisfies(event -> {
            assertThat(event.replyTo()).isEqualTo(AgentReplyTo.address(new AgentAddress("@worker", "here")));
            assertThat(event.expiresAt()).as("before the call's deadline")
                    .isBefore(AgentFixture.NOW.plusSeconds(30));
        });
    }

    @Test
    void aHandlerThatWaitsHearsOfFailureAndSilence() {
        assertThat(refused(() -> planner.request(Message.to("reviewer", "x"), MINUTE)).code())
                .isEqualTo("E_AGENT_REQUEST_TIMEOUT");
        fleet.answer = answer(null, new ToolError("E_OUT_OF_WORDS", "X", "no words", "Wait.", null));
        ToolException failed = refused(() -> planner.request(Message.to("reviewer", "x"), MINUTE));

        assertThat(failed.code()).isEqualTo("E_OUT_OF_WORDS");
        assertThat(failed.suggestion()).isEqualTo("Wait.");
    }

    @Test
    void aNewStartForgetsWhatTheLastOneSaid() {
        planner.send(Message.to("reviewer", "x"));
        planner.spawn("coder", "a", null);

        fleet.sends.discard();

        assertThat(fleet.sends.events()).isEmpty();
        assertThat(fleet.sends.instances()).isEmpty();
    }

    private static AgentEvent answer(@Nullable JsonNode payload,
            @Nullable ToolError error) {
        return new AgentEvent("e", AgentEvent.Type.DELEGATE_RESULT, null, PLANNER, null, payload, error, "c", null,
                null, null, null, null, null, AgentFixture.NOW, null, null);
    }

    private static ToolException refused(ThrowingCallable call) {
        return requireNonNull(catchThrowableOfType(ToolException.class, call));
    }
}
