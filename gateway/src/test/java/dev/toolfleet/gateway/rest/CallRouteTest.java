package dev.toolfleet.gateway.rest;

import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.Map;

import dev.toolfleet.error.ErrorCode;
import dev.toolfleet.wire.ToolCall;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static dev.toolfleet.gateway.rest.TestGateway.header;
import static dev.toolfleet.gateway.rest.TestGateway.json;
import static org.assertj.core.api.Assertions.assertThat;

/// Calls over HTTP: each is made once, and answered with its own result.
class CallRouteTest {
    private static final String PATH = "/v1/instances/telegram%3A123%2F4/agents/coder/calls";
    private static final String CALL = "{\"name\":\"bash__exec\",\"args\":{\"command\":\"ls\"}}";
    private static final String OTHER = "{\"name\":\"bash__exec\",\"args\":{\"command\":\"pwd\"}}";
    private static final String KEY = IdempotencyKey.HEADER;

    private final MemoryFleet fleet = new MemoryFleet();
    private final TestGateway gateway = new TestGateway(fleet, fleet.calls);

    @AfterEach
    void close() {
        gateway.close();
    }

    @Test
    void aCallIsAnsweredWithItsFinalResult() {
        HttpResponse<String> answer = gateway.post(PATH, CALL);

        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(json(answer).path("status").asString()).isEqualTo("ok");
        assertThat(header(answer, CallAnswers.CALL_ID)).isEqualTo("0-0");
        assertThat(header(answer, "Location")).isEqualTo("/v1/calls/0-0");
        ToolCall sent = fleet.sent.getFirst();
        assertThat(sent.instanceKey()).isEqualTo("telegram:123/4");
        assertThat(sent.agentName()).isEqualTo("coder");
        assertThat(sent.id()).isNotBlank();
        assertThat(sent.idempotencyKey()).isNull();
    }

    @Test
    void aCallThatFailedIsAResultToo() {
        fleet.answering(call -> MemoryFleet.failed(call, ErrorCode.E_TOOL_TIMEOUT));

        HttpResponse<String> answer = gateway.post(PATH, CALL);

        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(json(answer).path("error").path("code").asString()).isEqualTo("E_TOOL_TIMEOUT");
    }

    @Test
    void aPendingResultIsAnsweredAtOnceWithThePlaceOfTheFinalOne() {
        fleet.answering(call -> MemoryFleet.pending(call, "h-1"));

        HttpResponse<String> answer = gateway.post(PATH, CALL, "Prefer", "wait=60");

        assertThat(answer.statusCode()).isEqualTo(202);
        assertThat(json(answer).path("handle").asString()).isEqualTo("h-1");
        assertThat(header(answer, "Location")).isEqualTo("/v1/calls/0-0");
        assertThat(header(answer, "Retry-After")).isNotEmpty();
    }

    @Test
    void aCallThatTakesLongerThanTheWaitIsAnsweredWithItsPlace() {
        fleet.answering(_ -> null);

        for (String prefer : new String[]{"respond-async", "wait=0", "foo, respond-async;x=1, wait=90"}) {
            HttpResponse<String> answer = gateway.post(PATH, CALL, "Prefer", prefer);

            assertThat(answer.statusCode()).as(prefer).isEqualTo(202);
            assertThat(json(answer).path("stage").asString()).isEqualTo("accepted");
            assertThat(header(answer, "Location")).isEqualTo("/v1/calls/" + json(answer).path("id").asString());
            assertThat(header(answer, "Preference-Applied")).isEqualTo("wait=0");
        }
    }

    @Test
    void aRepeatedRequestIsTheSameCall() {
        HttpResponse<String> first = gateway.post(PATH, CALL, KEY, "\"order-1\"");

        HttpResponse<String> again = gateway.post(PATH, "{\"args\": {\"command\":\"ls\"}, \"name\":\"bash__exec\"}",
                KEY, "order-1");

        assertThat(fleet.sent).hasSize(1);
        assertThat(fleet.sent.getFirst().idempotencyKey()).isEqualTo("order-1");
        assertThat(again.statusCode()).isEqualTo(200);
        assertThat(json(again)).isEqualTo(json(first));
        assertThat(header(again, CallAnswers.CALL_ID)).isEqualTo(header(first, CallAnswers.CALL_ID));
        assertThat(header(first, CallAnswers.REPLAYED)).isEmpty();
        assertThat(header(again, CallAnswers.REPLAYED)).isEqualTo("true");
    }

    @Test
    void aRepeatedRequestBeforeTheReadModelKnowsTheCallRunsOnceToo() {
        fleet.readModelIsBehind = true;
        gateway.post(PATH, CALL, KEY, "k");

        HttpResponse<String> again = gateway.post(PATH, CALL, KEY, "k");

        assertThat(fleet.run).hasSize(1);
        assertThat(again.statusCode()).isEqualTo(200);
        assertThat(header(again, CallAnswers.REPLAYED)).isEqualTo("true");
        assertThat(gateway.post(PATH, OTHER, KEY, "k").statusCode()).isEqualTo(422);
        assertThat(fleet.run).hasSize(1);
    }

    @Test
    void aRepeatedRequestWaitsForTheCallThatRuns() {
        fleet.answering(_ -> null);
        HttpResponse<String> first = gateway.post(PATH, CALL, KEY, "k", "Prefer", "respond-async");
        ToolCall call = fleet.sent.getFirst();
        var retried = gateway.client().sendAsync(
                gateway.request(PATH, KEY, "k", "Content-Type", "application/json")
                        .POST(BodyPublishers.ofString(CALL)).build(),
                HttpResponse.BodyHandlers.ofString());

        fleet.calls.result(KnownCalls.id(header(first, CallAnswers.CALL_ID)), MemoryFleet.ok(call, 0));

        assertThat(json(retried.join()).path("status").asString()).isEqualTo("ok");
        assertThat(fleet.sent).hasSize(1);
    }

    @Test
    void otherArgumentsUnderAKeyAreRefusedAndNotSent() {
        gateway.post(PATH, CALL, KEY, "k");

        HttpResponse<String> answer = gateway.post(PATH, OTHER, KEY, "k");

        assertThat(answer.statusCode()).isEqualTo(422);
        assertThat(header(answer, "Content-Type")).isEqualTo("application/problem+json");
        assertThat(json(answer).path("detail").asString()).startsWith("E_CALL_IDENTITY_CONFLICT: ");
        assertThat(json(answer).path("type").asString()).isEqualTo("urn:toolfleet:problem:identity-conflict");
        assertThat(fleet.sent).hasSize(1);
    }

    @Test
    void aCallThatNamesTurnAndStepIsKnownByThem() {
        String stepped = "{\"id\":\"c1\",\"name\":\"bash__exec\",\"turnId\":\"t\",\"stepId\":\"s\"}";
        gateway.post(PATH, stepped);

        HttpResponse<String> again = gateway.post(PATH, stepped);

        assertThat(header(again, CallAnswers.REPLAYED)).isEqualTo("true");
        assertThat(fleet.sent).hasSize(1);
    }

    @Test
    void callsWithoutAnyNameAreCallsOfTheirOwn() {
        gateway.post(PATH, CALL);
        gateway.post(PATH, CALL);

        assertThat(fleet.run).hasSize(2).extracting(ToolCall::id).doesNotHaveDuplicates();
    }

    @Test
    void aKeyBelongsToItsInstanceAndAgent() {
        gateway.post(PATH, CALL, KEY, "k");
        gateway.post("/v1/instances/other/agents/coder/calls", CALL, KEY, "k");
        gateway.post("/v1/instances/telegram%3A123%2F4/agents/planner/calls", CALL, KEY, "k");

        assertThat(fleet.run).hasSize(3);
    }

    @Test
    void aKeyBelongsToItsPrincipal() {
        Map<String, String> two = Map.of("a.tokenHash", TestGateway.hash("token-of-a"), "a.scopes", "tools:call",
                "b.tokenHash", TestGateway.hash("token-of-b"), "b.scopes", "tools:call");
        try (TestGateway a = new TestGateway(fleet, fleet.calls, two, "token-of-a");
                TestGateway b = new TestGateway(fleet, fleet.calls, two, "token-of-b")) {
            a.post(PATH, CALL, KEY, "k");
            HttpResponse<String> other = b.post(PATH, CALL, KEY, "k");
            a.post(PATH, CALL, KEY, "x".repeat(255));
            a.post(PATH, CALL, KEY, "x".repeat(254) + "y");

            assertThat(header(other, CallAnswers.REPLAYED)).isEmpty();
            assertThat(fleet.run).extracting(ToolCall::idempotencyKey).contains("a/k", "b/k").hasSize(4)
                    .doesNotHaveDuplicates().allSatisfy(key -> assertThat(key).hasSizeLessThanOrEqualTo(255));
        }
    }

    @Test
    void nothingIsSentWhileTheReadModelCannotTellWhetherTheCallWasMade() {
        fleet.calls.unavailable("its partitions move");

        HttpResponse<String> answer = gateway.post(PATH, CALL, KEY, "k");

        assertThat(answer.statusCode()).isEqualTo(503);
        assertThat(header(answer, "Retry-After")).isNotEmpty();
        assertThat(json(answer).path("detail").asString()).contains("its partitions move");
        assertThat(fleet.sent).isEmpty();
        assertThat(gateway.post(PATH, CALL).statusCode()).as("a call that no other can repeat").isEqualTo(200);
    }

    @Test
    void userAndChannelComeFromThePrincipal() {
        Map<String, String> settings = Map.of("a.tokenHash", TestGateway.hash("token-of-a"), "a.scopes", "tools:call",
                "a.userId", "ann", "a.channelId", "slack");
        try (TestGateway a = new TestGateway(fleet, fleet.calls, settings, "token-of-a")) {
            a.post(PATH, CALL);
            HttpResponse<String> other = a.post(PATH, "{\"name\":\"n\",\"userId\":\"bob\"}");
            HttpResponse<String> same = a.post(PATH, "{\"name\":\"n\",\"userId\":\"ann\"}");

            assertThat(fleet.sent.getFirst().userId()).isEqualTo("ann");
            assertThat(fleet.sent.getFirst().channelId()).isEqualTo("slack");
            assertThat(other.statusCode()).isEqualTo(403);
            assertThat(json(other).path("detail").asString()).contains("'userId'", "'a'");
            assertThat(same.statusCode()).isEqualTo(200);
        }
    }
}
