package dev.toolfleet.gateway.rest;

import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import dev.toolfleet.error.ErrorCode;
import dev.toolfleet.gateway.calls.CallId;
import dev.toolfleet.json.Json;
import dev.toolfleet.wire.ResultStatus;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.wire.ToolError;
import dev.toolfleet.wire.ToolResult;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

import static dev.toolfleet.gateway.rest.TestGateway.header;
import static dev.toolfleet.gateway.rest.TestGateway.json;
import static org.assertj.core.api.Assertions.assertThat;

class CallListRouteTest {
    private static final String SECRET = "argument-of-the-call";

    private final MemoryFleet fleet = new MemoryFleet();
    private final TestGateway gateway = new TestGateway(fleet, fleet.calls);

    @AfterEach
    void close() {
        gateway.close();
    }

    private void accepted(long offset, String instance, @Nullable String agent, String tool) {
        ToolCall call = ToolCall.of("c" + offset, tool, Json.MAPPER.createObjectNode().put("path", SECRET), instance)
                .forCaller("ann/" + offset % 2, null);
        fleet.calls.accepted(new CallId(0, offset), agent == null ? call : call.inStep(agent, "t", "s", 0));
    }

    private void ended(long offset, ResultStatus status) {
        fleet.calls.result(new CallId(0, offset), new ToolResult("c" + offset, "n", status,
                status == ResultStatus.OK ? Json.MAPPER.createObjectNode().put("out", SECRET) : null, null,
                status == ResultStatus.ERROR ? ToolError.of(ErrorCode.E_TOOL_TIMEOUT, "late") : null, "i", null, null,
                null, 1, false, null, offset, null, null));
    }

    private List<String> ids(String query) {
        return json(gateway.get("/v1/calls" + query)).path("calls").findValuesAsString("id");
    }

    private void fill() {
        accepted(0, "i/1", "coder", "bash__exec");
        accepted(1, "i/1", "planner", "rm");
        accepted(2, "j", "coder", "rm");
        accepted(3, "j", null, "bash__read");
        ended(0, ResultStatus.OK);
        ended(1, ResultStatus.ERROR);
        fleet.calls.progress(new CallId(0, 2), "halfway");
    }

    @Test
    void callsAreListedNewestFirstWithoutArgumentsAndOutputs() {
        fill();

        HttpResponse<String> answer = gateway.get("/v1/calls");

        assertThat(answer.body()).doesNotContain(SECRET, "halfway", "late");
        assertThat(ids("")).containsExactly("0-3", "0-2", "0-1", "0-0");
        assertThat(json(answer).path("calls").path(2)).isEqualTo(Json.MAPPER.readTree("""
                {"id": "0-1", "callId": "c1", "instanceKey": "i/1", "agentName": "planner", "tool": "rm",
                 "userId": "ann/1", "turnId": "t", "stepId": "s", "acceptedAt": "2026-11-24T12:00:01Z",
                 "stage": "ended", "status": "error", "code": "E_TOOL_TIMEOUT", "endedAt": "2026-11-24T12:00:00Z",
                 "replayed": false}"""));
        assertThat(json(answer).has("next")).isFalse();
        assertThat(json(answer).has("searchedTo")).isFalse();
        assertThat(json(answer).path("missing")).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            ?instance=i%2F1                   | 0-1 0-0
            ?agent=coder                      | 0-2 0-0
            ?tool=bash__*                     | 0-3 0-0
            ?user=ann%2F1                     | 0-3 0-1
            ?stage=open                       | 0-3 0-2
            ?stage=running                    | 0-2
            ?stage=ended                      | 0-1 0-0
            ?status=ok                        | 0-0
            ?status=error                     | 0-1
            ?code=e_tool_timeout              | 0-1
            ?since=2026-11-24T12:00:02Z       | 0-3 0-2
            ?stage=open&tool=rm&instance=j    | 0-2
            ?limit=1                          | 0-3
            """)
    void callsAreSelected(String query, String expected) {
        fill();
        assertThat(String.join(" ", ids(query))).isEqualTo(expected);
    }

    @Test
    void aListContinuesBehindItsNext() {
        for (int i = 0; i < 7; i++)
            accepted(i, "i", "coder", "rm");
        List<String> seen = new ArrayList<>();
        String after = "";
        JsonNode page;
        do {
            page = json(gateway.get("/v1/calls?limit=3" + after));
            seen.addAll(page.path("calls").findValuesAsString("id"));
            after = "&after=" + page.path("next").asString("");
            accepted(100 + seen.size(), "i", "coder", "rm");
        } while (page.has("next"));

        assertThat(seen).containsExactly("0-6", "0-5", "0-4", "0-3", "0-2", "0-1", "0-0");
    }

    @ParameterizedTest
    @ValueSource(strings = {"tools:call", "fleet:read"})
    void aPrincipalSeesTheCallsOfItsAgentsAndInstances(String scope) {
        for (int i = 0; i < 300; i++)
            accepted(i, i % 10 == 0 ? "mine-1" : "other", i % 20 == 0 ? "coder" : "planner", "rm");
        accepted(301, "mine-2", null, "rm");
        Map<String, String> settings = Map.of("a.tokenHash", TestGateway.hash("t"), "a.scopes", scope, "a.instances",
                "mine-*", "a.agents", "coder");
        try (TestGateway theirs = new TestGateway(fleet, fleet.calls, settings, "t")) {
            JsonNode page = json(theirs.get("/v1/calls?limit=10"));
            assertThat(page.path("calls").findValuesAsString("id")).hasSize(10).first().isEqualTo("0-280");
            JsonNode rest = json(theirs.get("/v1/calls?limit=10&after=" + page.path("next").asString()));
            assertThat(rest.path("calls").findValuesAsString("id")).containsExactly("0-80", "0-60", "0-40", "0-20",
                    "0-0");
            assertThat(rest.has("next")).isFalse();
        }
    }

    @Test
    void aReadModelThatCannotAnswerIsReadAgain() {
        fleet.calls.unavailable("moving");

        HttpResponse<String> answer = gateway.get("/v1/calls");

        assertThat(answer.statusCode()).isEqualTo(503);
        assertThat(header(answer, "Retry-After")).isEqualTo("1");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
            stage=done          | 'stage' must be one of open, accepted, running, pending, approval, resumed, ended, not 'done'.
            stage=ENDED         | 'stage' must be one of open,
            status=pending      | 'status' must be one of ok, error, not 'pending'.
            since=yesterday     | 'since' must be an instant, such as 2026-11-25T20:00:00Z, not 'yesterday'.
            after=7             | 'after': '7' is no position
            limit=0             | 'limit' must be a whole number from 1 to 200, not '0'.
            limit=201           | 'limit' must be a whole number from 1 to 200, not '201'.
            tool=a%20b          | 'tool' may hold only letters
            instance=           | 'instance' has 0 characters
            user=               | 'user' has 0 characters
            instanceKey=i       | 'instanceKey' is unknown
            """)
    void aWrongParameterIsRefused(String query, String expected) {
        HttpResponse<String> answer = gateway.get("/v1/calls?" + query);

        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(400);
        assertThat(json(answer).path("detail").asString()).contains(expected);
    }
}
