package dev.toolfleet.worker.execute;

import java.nio.file.Path;
import java.time.Instant;
import java.util.HashSet;
import java.util.Set;

import dev.toolfleet.json.Json;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.worker.assignment.Position;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

class HandlerCallTest {
    private static final ToolCall CALL = ToolCall.of("c1", "t__run", Json.MAPPER.readTree("{\"n\":1}"), "i")
            .inStep("coder", "t1", "s1", 1).forCaller("u1", "ch1");

    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path root;

    @Test
    void aHandlerLearnsWhoCalls() {
        HandlerCall call = call(3, 42);

        assertThat(call.agentName()).isEqualTo("coder");
        assertThat(call.instanceKey()).isEqualTo("i");
        assertThat(call.turnId()).isEqualTo("t1");
        assertThat(call.stepId()).isEqualTo("s1");
        assertThat(call.toolCallId()).isEqualTo("c1");
        assertThat(call.caller().userId()).isEqualTo("u1");
        assertThat(call.caller().channelId()).isEqualTo("ch1");
        assertThat(call.attempt()).isEqualTo(1);
        assertThat(call.idempotencyKey()).isEqualTo("identity");
        assertThat(call.deadline()).isEqualTo(Instant.MAX);
        assertThat(call.cancelled()).isFalse();
    }

    @Test
    void aMessageIsMadeThatHoldsJustThisCallWhenNoneWasSent() {
        JsonNode message = call(3, 42).message();

        assertThat(message.propertyNames()).as("a Message of the tool specification").containsExactly("id", "data",
                "metadata", "createdAt", "source");
        assertThat(message.path("data")).isEqualTo(Json.MAPPER.readTree("""
                {"role": "assistant", "content": [
                  {"type": "tool-call", "toolCallId": "c1", "toolName": "t__run", "input": {"n": 1}}]}"""));
        assertThat(message.path("source").toString()).isEqualTo("{\"type\":\"assistant\",\"stepId\":\"s1\"}");
        assertThat(Instant.parse(message.path("createdAt").asString())).isNotNull();
    }

    @Test
    void fencingTokensGrowWithEachTakeOverAndEachCall() {
        assertThat(call(3, 43).fencingToken()).isGreaterThan(call(3, 42).fencingToken());
        assertThat(call(4, 0).fencingToken()).isGreaterThan(call(3, 1L << 39).fencingToken());
    }

    @Test
    void handlesDoNotRepeat() {
        HandlerCall call = call(3, 42);
        Set<String> handles = new HashSet<>();
        for (int i = 0; i < 1000; i++)
            handles.add(call.newHandle());

        assertThat(handles).hasSize(1000).allMatch(handle -> handle.matches("h_[A-Za-z0-9_-]{24}"));
    }

    private HandlerCall call(int generation, long offset) {
        return new HandlerCall(CALL, new HandlerCall.Origin(new Position(0, 1, offset), 0, "identity", generation, 1),
                new HandlerCall.Limit(Instant.MAX, "none"), new Workspace(root, java.time.InstantSource.system()),
                Handlers.silent());
    }
}
