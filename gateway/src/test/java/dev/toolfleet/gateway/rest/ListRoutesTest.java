package dev.toolfleet.gateway.rest;

import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import dev.toolfleet.client.approval.OpenApproval;
import dev.toolfleet.client.letter.Fate;
import dev.toolfleet.client.letter.Letter;
import dev.toolfleet.client.letter.LetterAddress;
import dev.toolfleet.client.letter.Origin;
import dev.toolfleet.error.ErrorCode;
import dev.toolfleet.json.Json;
import dev.toolfleet.wire.Approval;
import dev.toolfleet.wire.PendingCall;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.wire.ToolError;
import dev.toolfleet.wire.ToolErrorEvent;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

import static dev.toolfleet.gateway.rest.TestGateway.NOW;
import static dev.toolfleet.gateway.rest.TestGateway.header;
import static dev.toolfleet.gateway.rest.TestGateway.json;
import static org.assertj.core.api.Assertions.assertThat;

class ListRoutesTest {
    private static final String SECRET = "argument-of-the-call";

    private final MemoryFleet fleet = new MemoryFleet();
    private final TestGateway gateway = new TestGateway(fleet, fleet.calls);

    @AfterEach
    void close() {
        gateway.close();
    }

    private static OpenApproval approval(String handle, String instance, String agent) {
        ToolCall call = ToolCall.of("c-" + handle, "rm", Json.MAPPER.createObjectNode().put("path", SECRET), instance)
                .inStep(agent, "t", "s", 0);
        return OpenApproval.of(new PendingCall(handle, PendingCall.Kind.APPROVAL, call, 0, 1, null,
                Json.MAPPER.readTree("{\"arguments\":{\"path\":\"as asked\"}}"), NOW.plus(Duration.ofMinutes(5)), null,
                null, NOW, null, new Approval("acme/p/r", List.of("acme/p/r"), "A person looks first.", "sha256:aa",
                        "sha256:bb").hiding(0)));
    }

    private static ToolErrorEvent error(String instance, String agent, String tool, Instant at, boolean sensitive) {
        return new ToolErrorEvent("c", tool, null, ToolError.of(ErrorCode.E_TOOL_TIMEOUT, "took too long"), instance,
                agent, "t", "s", null, null, 1, null, null, null, null, null, sensitive, null, "w1", at);
    }

    private static Letter letter(long offset, String reason, Optional<Fate> fate) {
        return new Letter(new LetterAddress(3, offset), NOW, reason, Origin.of("tool.call/1/2"), "i", 7, "w1", fate);
    }

    private static Map<String, String> principal(String scopes) {
        return Map.of("a.tokenHash", TestGateway.hash("t"), "a.scopes", scopes, "a.instances", "mine-*", "a.agents",
                "coder");
    }

    @Test
    void openApprovalsAreListedWithTheArgumentsThatWereAsked() {
        gateway.lists().approvals.addAll(List.of(approval("h-1", "i", "coder"), approval("h-2", "j", "planner")));

        HttpResponse<String> answer = gateway.get("/v1/approvals");

        assertThat(json(answer).path("approvals").findValuesAsString("handle")).containsExactly("h-1", "h-2");
        assertThat(json(answer).path("approvals").path(0).path("arguments")).hasToString("{\"path\":\"as asked\"}");
        assertThat(answer.body()).doesNotContain(SECRET);
        assertThat(header(answer, "Toolfleet-Left-Out")).isEqualTo("0");
        assertThat(handles("?instance=j")).containsExactly("h-2");
        assertThat(handles("?agent=coder")).containsExactly("h-1");
        assertThat(handles("?agent=coder&instance=j")).isEmpty();
    }

    private List<String> handles(String query) {
        return json(gateway.get("/v1/approvals" + query)).path("approvals").findValuesAsString("handle");
    }

    @Test
    void aListNamesTheNumberOfEntriesThatItLeavesOut() {
        for (int i = 0; i < 5; i++)
            gateway.lists().approvals.add(approval("h-" + i, "i", "coder"));

        HttpResponse<String> answer = gateway.get("/v1/approvals?limit=2");

        assertThat(json(answer).path("approvals").size()).isEqualTo(2);
        assertThat(header(answer, "Toolfleet-Left-Out")).isEqualTo("3");
        assertThat(json(answer).path("notes").path(0).asString()).startsWith("3 younger approvals").contains("'limit'");
    }

    @Test
    void approversAndReadersSeeTheApprovalsThatAreTheirs() {
        for (String scope : List.of("approvals:decide", "fleet:read")) {
            try (TestGateway theirs = new TestGateway(fleet, fleet.calls, principal(scope), "t")) {
                theirs.lists().approvals.addAll(List.of(approval("h-1", "mine-1", "coder"),
                        approval("h-2", "mine-1", "planner"), approval("h-3", "other", "coder")));

                JsonNode answer = json(theirs.get("/v1/approvals"));

                assertThat(answer.path("approvals").findValuesAsString("handle")).containsExactly("h-1");
            }
        }
        try (TestGateway caller = new TestGateway(fleet, fleet.calls, principal("tools:call"), "t")) {
            assertThat(caller.get("/v1/approvals").statusCode()).isEqualTo(403);
        }
    }

    @Test
    void errorsAreListedFromATimeOnAndPageByPage() {
        List<ToolErrorEvent> errors = gateway.lists().errors;
        errors.add(error("i", "coder", "rm", NOW.minus(Duration.ofHours(2)), false));
        for (int minute = 3; minute > 0; minute--)
            errors.add(error("i" + minute, "coder", "bash__exec", NOW.minus(Duration.ofMinutes(minute)), false));

        JsonNode first = json(gateway.get("/v1/errors?limit=2"));
        JsonNode rest = json(gateway.get("/v1/errors?limit=2&after=" + first.path("next").asString()));

        assertThat(first.path("errors").findValuesAsString("instanceKey")).containsExactly("i3", "i2");
        assertThat(first.path("complete").asBoolean()).isFalse();
        assertThat(rest.path("errors").findValuesAsString("instanceKey")).containsExactly("i1");
        assertThat(rest.path("complete").asBoolean()).isTrue();
        assertThat(json(gateway.get("/v1/errors?since=2026-11-24T00:00:00Z")).path("errors").size()).isEqualTo(4);
    }

    @ParameterizedTest
    @CsvSource({"code=e_tool_timeout,3", "code=E_TOOL_CANCELLED,0", "tool=bash__*,1", "agent=planner,1",
            "instance=i%2F1,2", "instance=i%2F1&agent=planner,1"})
    void errorsAreSelected(String query, int expected) {
        gateway.lists().errors.addAll(List.of(error("i/1", "coder", "rm", NOW, false),
                error("i/1", "planner", "bash__exec", NOW, false), error("j", "coder", "rm", NOW, false)));

        assertThat(json(gateway.get("/v1/errors?" + query)).path("errors").size()).isEqualTo(expected);
    }

    @Test
    void theMessageOfASensitiveToolIsNotShown() {
        gateway.lists().errors.add(error("i", "coder", "rm", NOW, true));

        JsonNode error = json(gateway.get("/v1/errors")).path("errors").path(0).path("error");

        assertThat(error).hasToString("{\"code\":\"E_TOOL_TIMEOUT\"}");
    }

    @Test
    void errorsOfOthersAreHidden() {
        try (TestGateway theirs = new TestGateway(fleet, fleet.calls, principal("fleet:read"), "t")) {
            theirs.lists().errors.addAll(List.of(error("mine-1", "coder", "rm", NOW, false),
                    error("mine-1", "planner", "rm", NOW, false), error("other", "coder", "rm", NOW, false)));

            assertThat(json(theirs.get("/v1/errors")).path("errors").findValuesAsString("agentName"))
                    .containsExactly("coder");
        }
    }

    @Test
    void openDeadLettersAreListedAndOnRequestTheOthersToo() {
        Fate done = new Fate(Fate.Word.DISCARDED, "ann", null, NOW);
        gateway.lists().letters.addAll(List.of(letter(9, "malformed: not JSON", Optional.empty()),
                letter(8, "late", Optional.empty()), letter(7, "late", Optional.of(done))));

        assertThat(addresses("")).containsExactly("3:9", "3:8");
        assertThat(addresses("?all=true")).containsExactly("3:9", "3:8", "3:7");
        assertThat(addresses("?reason=late")).containsExactly("3:8");
        assertThat(addresses("?topic=tool.result")).isEmpty();
        assertThat(addresses("?since=2026-11-25T00:00:00Z")).isEmpty();
        assertThat(header(gateway.get("/v1/dead-letters?limit=1"), "Toolfleet-Left-Out")).isEqualTo("1");
    }

    private List<String> addresses(String query) {
        return json(gateway.get("/v1/dead-letters" + query)).path("letters").findValuesAsString("address");
    }

    @Test
    void agentsAreListedWithAValidator() {
        HttpResponse<String> list = gateway.get("/v1/agents");

        assertThat(json(list).path("agents").findValuesAsString("name")).containsExactly("coder", "planner");
        assertThat(gateway.get("/v1/agents", "If-None-Match", header(list, "ETag")).statusCode()).isEqualTo(304);
        assertThat(json(gateway.get("/v1/agents/coder")).path("exports").findValuesAsString("name"))
                .contains("bash__exec", "rm");
        HttpResponse<String> unknown = gateway.get("/v1/agents/nobody");
        assertThat(unknown.statusCode()).isEqualTo(404);
        assertThat(json(unknown).path("detail").asString()).contains("'nobody'", "Declared: coder, planner");
        assertThat(json(gateway.get("/v1/resources?source=config")).path("resources").size()).isEqualTo(4);
    }

    @Test
    void aRestrictedPrincipalSeesItsAgentsAndNoWholeTopics() {
        try (TestGateway theirs = new TestGateway(fleet, fleet.calls, principal("fleet:read,tools:list"), "t")) {
            assertThat(json(theirs.get("/v1/agents")).path("agents").findValuesAsString("name"))
                    .containsExactly("coder");
            HttpResponse<String> hidden = theirs.get("/v1/agents/planner");
            assertThat(hidden.statusCode()).isEqualTo(404);
            assertThat(json(hidden).path("detail").asString()).contains("Declared: coder.");
            for (String path : List.of("/v1/dead-letters", "/v1/resources")) {
                assertThat(theirs.get(path).statusCode()).isEqualTo(403);
                assertThat(json(theirs.get(path)).path("detail").asString()).contains("gateway.principals.a");
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"/v1/errors", "/v1/dead-letters", "/v1/resources"})
    void theFleetIsReadWithItsScopeOnly(String path) {
        Map<String, String> settings = Map.of("a.tokenHash", TestGateway.hash("t"), "a.scopes",
                "tools:call,tools:list,approvals:decide,handles:complete");
        try (TestGateway caller = new TestGateway(fleet, fleet.calls, settings, "t")) {
            assertThat(caller.get(path).statusCode()).isEqualTo(403);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"/v1/approvals", "/v1/errors", "/v1/dead-letters"})
    void aTopicThatCannotBeReadIsRetried(String path) {
        gateway.lists().broken = true;

        HttpResponse<String> answer = gateway.get(path);

        assertThat(answer.statusCode()).isEqualTo(503);
        assertThat(header(answer, "Retry-After")).isEqualTo("1");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
            approvals?limit=0          | 'limit' must be a whole number from 1 to 1000
            approvals?instance=        | 'instance' has 0 characters
            approvals?instanceKey=i    | 'instanceKey' is unknown
            errors?since=yesterday     | 'since' must be an instant
            errors?after=7             | 'after': '7' is no position
            errors?after=1-2.1-3       | 'after'
            errors?tool=a%20b          | 'tool' may hold only letters
            errors?limit=1001          | 'limit'
            dead-letters?all=yes       | 'all' must be true or false
            dead-letters?since=1h      | 'since' must be an instant
            resources?source=file      | The source 'file' is unknown
            agents?name=coder          | 'name' is unknown
            """)
    void aWrongParameterIsRefused(String query, String expected) {
        HttpResponse<String> answer = gateway.get("/v1/" + query);

        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(400);
        assertThat(json(answer).path("detail").asString()).contains(expected);
    }
}
