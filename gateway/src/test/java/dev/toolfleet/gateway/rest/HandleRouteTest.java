package dev.toolfleet.gateway.rest;

import java.net.http.HttpResponse;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import dev.toolfleet.client.HandleState;
import dev.toolfleet.json.Json;
import dev.toolfleet.wire.Approval;
import dev.toolfleet.wire.Completion;
import dev.toolfleet.wire.Decision;
import dev.toolfleet.wire.PendingCall;
import dev.toolfleet.wire.ToolCall;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static dev.toolfleet.gateway.rest.TestGateway.json;
import static org.assertj.core.api.Assertions.assertThat;

/// Reports and decisions go to open handles only, by those who may.
class HandleRouteTest {
    private static final Instant NOW = Instant.parse("2026-11-24T12:00:00Z");
    private static final String APPROVE = "{\"decision\":\"approve\"}";
    private static final String DONE = "{\"kind\":\"completed\",\"output\":{\"exitCode\":0}}";

    private final MemoryFleet fleet = new MemoryFleet();
    private final TestGateway gateway = new TestGateway(fleet, fleet.calls);

    @AfterEach
    void close() {
        gateway.close();
    }

    private static PendingCall pending(String handle, @Nullable Approval approval) {
        ToolCall call = ToolCall.of("c", "bash__exec", Json.MAPPER.createObjectNode(), "i").inStep("coder", "t", "s",
                0);
        return new PendingCall(handle, approval == null ? PendingCall.Kind.ASYNC : PendingCall.Kind.APPROVAL, call, 0,
                0, null, null, NOW.plusSeconds(60), null, null, NOW, null, approval);
    }

    private void open(String handle, @Nullable Approval approval) {
        fleet.handles.put(handle, new HandleState.Open(pending(handle, approval), Optional.empty()));
    }

    private static Approval question(int hidden) {
        return new Approval("rule", List.of("rule"), "why", "sha256:00", null, hidden, null);
    }

    @Test
    void workIsCompleted() {
        open("job/1", null);

        HttpResponse<String> answer = gateway.post("/v1/handles/job%2F1/completions", DONE);

        assertThat(answer.statusCode()).isEqualTo(202);
        assertThat(fleet.completed).containsExactly(
                Completion.completed("job/1", Json.MAPPER.createObjectNode().put("exitCode", 0), null));
    }

    @Test
    void aPersonDecides() {
        open("h", question(0));

        HttpResponse<String> answer = gateway.post("/v1/handles/h/decision",
                "{\"decision\":\"reject\",\"by\":\"ann\",\"reason\":\"no\"}");

        assertThat(answer.statusCode()).isEqualTo(202);
        assertThat(fleet.decided).containsExactly(Decision.reject("h", "ann", "no"));
    }

    @Test
    void theDeciderIsThePrincipal() {
        open("h", question(0));
        Map<String, String> settings = Map.of("boss.tokenHash", TestGateway.hash("t"), "boss.scopes",
                "approvals:decide");
        try (TestGateway boss = new TestGateway(fleet, fleet.calls, settings, "t")) {
            HttpResponse<String> asAnother = boss.post("/v1/handles/h/decision",
                    "{\"decision\":\"approve\",\"by\":\"ann\"}");
            boss.post("/v1/handles/h/decision", APPROVE);

            assertThat(asAnother.statusCode()).isEqualTo(403);
            assertThat(fleet.decided).containsExactly(Decision.approve("h", "boss", null));
            assertThat(boss.post("/v1/handles/h/completions", DONE).statusCode()).as("scope").isEqualTo(403);
        }
    }

    @Test
    void aHandleOfAnotherPrincipalsInstanceIsUnknown() {
        open("h", question(0));
        Map<String, String> settings = Map.of("boss.tokenHash", TestGateway.hash("t"), "boss.scopes",
                "approvals:decide,handles:complete", "boss.instances", "mine");
        try (TestGateway boss = new TestGateway(fleet, fleet.calls, settings, "t")) {
            assertThat(boss.post("/v1/handles/h/decision", APPROVE).statusCode()).isEqualTo(404);
            assertThat(boss.post("/v1/handles/h/completions", DONE).statusCode()).isEqualTo(404);
            assertThat(fleet.decided).isEmpty();
        }
    }

    @Test
    void aHandleThatIsUnknownOrHasEndedOrWaitsForSomethingElseTakesNothing() {
        fleet.handles.put("over", new HandleState.Ended(pending("over", null), NOW, Optional.empty()));
        open("work", null);
        open("question", question(0));

        assertThat(gateway.post("/v1/handles/none/completions", DONE).statusCode()).isEqualTo(404);
        assertThat(gateway.post("/v1/handles/over/completions", DONE).statusCode()).isEqualTo(409);
        assertThat(gateway.post("/v1/handles/question/completions", DONE).statusCode()).isEqualTo(409);
        assertThat(gateway.post("/v1/handles/work/decision", APPROVE).statusCode()).isEqualTo(409);
        assertThat(fleet.completed).isEmpty();
        assertThat(fleet.decided).isEmpty();
    }

    @Test
    void aCallThatWasNotShownWholeIsApprovedByThatWordOnly() {
        open("h", question(1));

        assertThat(gateway.post("/v1/handles/h/decision", APPROVE).statusCode()).isEqualTo(400);
        assertThat(gateway.post("/v1/handles/h/decision", "{\"decision\":\"approve\",\"despiteHidden\":true}")
                .statusCode()).isEqualTo(202);
        assertThat(fleet.decided).containsExactly(Decision.approve("h", null, null).evenIfHidden());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            completions | {}                                        | 'kind'
            completions | {"kind":"failed"}                         | 'error' is missing
            completions | {"kind":"progress","progress":{"percent":101}} | 'progress.percent' is 101
            completions | {"kind":"completed","handle":"other"}     | 'handle' is unknown
            completions | {"kind":"sold"}                           | 'kind'
            decision    | {}                                        | 'decision'
            decision    | {"decision":"perhaps"}                    | 'decision' must be approve or reject
            decision    | {"decision":"approve","reason":7}         | 'reason' must be text
            decision    | {"decision":"approve","despiteHidden":1}  | 'despiteHidden' must be
            """, quoteCharacter = '\u0001')
    void aBadReportIsRefusedByTheNameOfItsField(String route, String body, String expected) {
        open("h", route.equals("decision") ? question(0) : null);

        HttpResponse<String> answer = gateway.post("/v1/handles/h/" + route, body);

        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(400);
        assertThat(json(answer).path("detail").asString()).contains(expected);
        assertThat(fleet.completed).isEmpty();
        assertThat(fleet.decided).isEmpty();
    }
}
