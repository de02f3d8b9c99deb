package dev.toolfleet.gateway.rest;

import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import dev.toolfleet.client.HandleState;
import dev.toolfleet.error.ErrorCode;
import dev.toolfleet.gateway.calls.CallId;
import dev.toolfleet.gateway.calls.CallWait;
import dev.toolfleet.wire.Approval;
import dev.toolfleet.wire.Decision;
import dev.toolfleet.wire.PendingCall;
import dev.toolfleet.wire.ToolCall;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

import static dev.toolfleet.gateway.rest.McpTestClient.errorCode;
import static dev.toolfleet.gateway.rest.McpTestClient.result;
import static org.assertj.core.api.Assertions.assertThat;

/// Calls that wait are tasks, and approvals are questions for those who may decide.
class McpTasksTest {
    private static final String PATH = "/mcp/agents/coder";
    private static final String TASKS = "{'extensions':{'io.modelcontextprotocol/tasks':{}}}";
    private static final String FORMS = "{'elicitation':{}}";
    private static final CallId CALL = new CallId(0, 0);
    private static final String WRITE = "'name':'t__write','arguments':{'x':1}";
    private static final String TASK = "'taskId':'0-0'";

    private final MemoryFleet fleet = McpTestClient.fleet();
    private TestGateway gateway = new TestGateway(fleet, fleet.calls);

    @AfterEach
    void stop() {
        gateway.close();
    }

    private HttpResponse<String> send(String capabilities, String method, String params, String... headers) {
        return new McpTestClient(gateway, capabilities).modern(PATH, method, params, headers);
    }

    private HttpResponse<String> as(String token, String capabilities, String path, String method, String params) {
        return new McpTestClient(gateway, capabilities).modern(path, method, params, "Authorization",
                "Bearer " + token);
    }

    /// Makes the first call wait.
    ///
    /// @param approval the question; null for work
    private void waitFor(@Nullable Approval approval) {
        fleet.answering(call -> {
            PendingCall.Kind kind = approval == null ? PendingCall.Kind.ASYNC : PendingCall.Kind.APPROVAL;
            PendingCall wait = new PendingCall("h 1", kind, call, 0, 0, null, null,
                    TestGateway.NOW.plusSeconds(600), null, null, TestGateway.NOW, null, approval, "ci");
            fleet.handles.put("h 1", new HandleState.Open(wait, Optional.empty()));
            fleet.calls.waits(CALL, CallWait.of(wait));
            return MemoryFleet.pending(call, "h 1");
        });
    }

    private static Approval approval(int hidden, @Nullable Integer quorum, @Nullable String notBy) {
        return new Approval("big", List.of("big"), "it is big", "sha256:00", null, hidden, null, quorum, notBy, null);
    }

    private void end() {
        fleet.calls.result(CALL, MemoryFleet.ok(fleet.run.getFirst(), 0));
    }

    @Test
    void callThatWaitsIsATaskUntilItsEnd() {
        waitFor(null);

        JsonNode begun = result(send(TASKS, "tools/call", WRITE));
        JsonNode working = result(send(TASKS, "tasks/get", TASK));
        end();
        JsonNode ended = result(send(TASKS, "tasks/get", TASK));

        assertThat(begun.path("resultType").asString()).isEqualTo("task");
        assertThat(begun.path("taskId").asString()).isEqualTo("0-0");
        assertThat(working.path("status").asString()).isEqualTo("working");
        assertThat(working.path("statusMessage").asString()).isEqualTo("waits for work elsewhere, of ci");
        assertThat(working.path("ttlMs").longValue()).isEqualTo(Duration.ofMinutes(70).toMillis());
        assertThat(working.path("createdAt").asString()).isEqualTo(begun.path("createdAt").asString());
        assertThat(ended.path("status").asString()).isEqualTo("completed");
        assertThat(ended.at("/result/structuredContent/done").booleanValue()).isTrue();
    }

    @Test
    void slowCallBecomesATaskAndAQuickOneDoesNot() {
        assertThat(result(send(TASKS, "tools/call", WRITE)).path("resultType").asString()).isEqualTo("complete");
        fleet.answering(_ -> null);

        JsonNode begun = result(send(TASKS, "tools/call", WRITE));
        fleet.calls.progress(new CallId(0, 1), "half");

        assertThat(begun.path("taskId").asString()).isEqualTo("0-1");
        assertThat(result(send(TASKS, "tasks/get", "'taskId':'0-1'")).path("statusMessage").asString())
                .isEqualTo("half");
    }

    @Test
    void clientOf2025AsksForTheTask() throws InterruptedException {
        fleet.answering(_ -> null);
        McpTestClient client = new McpTestClient(gateway);
        String[] version = {"MCP-Protocol-Version", "2025-11-25"};
        JsonNode tools = result(client.legacy(PATH, "'id':1,'method':'tools/list'", version)).path("tools");

        JsonNode begun = result(client.legacy(PATH, "'id':2,'method':'tools/call','params':{" + WRITE
                + ",'task':{}}", version)).path("task");
        Thread worker = Thread.ofVirtual().start(this::end);
        JsonNode ended = result(client.legacy(PATH, "'id':3,'method':'tasks/result','params':{" + TASK + "}",
                version));
        worker.join();

        assertThat(tools.at("/0/execution/taskSupport").asString()).isEqualTo("optional");
        assertThat(tools.at("/2/execution/taskSupport").asString()).isEqualTo("forbidden");
        assertThat(begun.path("status").asString()).isEqualTo("working");
        assertThat(begun.path("ttl").isNull()).isTrue();
        assertThat(ended.at("/structuredContent/done").booleanValue()).isTrue();
        assertThat(result(client.legacy(PATH, "'id':4,'method':'tasks/get','params':{" + TASK + "}", version))
                .path("status").asString()).isEqualTo("completed");
    }

    @Test
    void taskIsCancelled() {
        waitFor(null);
        send(TASKS, "tools/call", WRITE);

        send(TASKS, "tasks/cancel", TASK);
        fleet.calls.result(CALL, MemoryFleet.failed(fleet.run.getFirst(), ErrorCode.E_TOOL_CANCELLED));
        send(TASKS, "tasks/cancel", TASK);

        assertThat(fleet.cancelled).hasSize(1);
        assertThat(fleet.cancelled.getFirst().handle()).isEqualTo("h 1");
        assertThat(result(send(TASKS, "tasks/get", TASK)).path("status").asString()).isEqualTo("cancelled");
    }

    @Test
    void taskOfOthersIsUnknown() {
        gateway.close();
        gateway = new TestGateway(fleet, fleet.calls, Map.of("ann.tokenHash", TestGateway.hash("ann"), "ann.scopes",
                "tools:list,tools:call", "ann.instances", "ann", "bob.tokenHash", TestGateway.hash("bob"),
                "bob.scopes", "tools:list,tools:call", "bob.instances", "bob"), "");
        waitFor(null);
        as("ann", TASKS, PATH, "tools/call", WRITE);

        assertThat(result(as("ann", TASKS, PATH, "tasks/get", TASK)).path("status").asString()).isEqualTo("working");
        assertThat(errorCode(as("bob", TASKS, PATH, "tasks/get", TASK))).isEqualTo(-32602);
        assertThat(errorCode(as("ann", TASKS, "/mcp/agents/planner", "tasks/get", TASK))).isEqualTo(-32602);
        assertThat(errorCode(as("bob", TASKS, PATH, "tasks/cancel", TASK))).isEqualTo(-32602);
        assertThat(errorCode(as("ann", TASKS, PATH, "tasks/get", "'taskId':'none'"))).isEqualTo(-32602);
        assertThat(errorCode(as("ann", "{}", PATH, "tasks/get", TASK))).isEqualTo(-32021);
        assertThat(fleet.cancelled).isEmpty();
    }

    @Test
    void personIsAskedAndTheCallGoesOn() {
        waitFor(approval(0, null, null));

        JsonNode asked = result(send(FORMS, "tools/call", WRITE));
        JsonNode question = asked.at("/inputRequests/approval h 1/params");
        HttpResponse<String> other = send(FORMS, "tools/call", "'name':'t__write','arguments':{'x':2},"
                + answer("'accept','content':{'approve':true}"));
        JsonNode left = result(send(FORMS, "tools/call", WRITE + "," + answer("'cancel'")));
        fleet.answering(_ -> null);
        Thread worker = Thread.ofVirtual().start(() -> {
            while (fleet.decided.isEmpty())
                Thread.onSpinWait();
            end();
        });
        JsonNode done = result(send(FORMS, "tools/call", WRITE + ","
                + answer("'accept','content':{'approve':true,'reason':'fine'}")));

        assertThat(asked.path("resultType").asString()).isEqualTo("input_required");
        assertThat(asked.path("requestState").asString()).isEqualTo("0-0");
        assertThat(question.path("message").asString()).contains("t__write", "{\"x\":1}", "it is big");
        assertThat(errorCode(other)).isEqualTo(-32602);
        assertThat(left.path("resultType").asString()).as("it waits, and may be asked again").isEqualTo(
                "input_required");
        assertThat(fleet.decided).containsExactly(Decision.approve("h 1", null, "fine"));
        assertThat(done.at("/structuredContent/done").booleanValue()).isTrue();
        assertThat(fleet.run).as("no second call").hasSize(1);
        assertThat(worker.isAlive()).isFalse();
    }

    private static String answer(String action) {
        return "'requestState':'0-0','inputResponses':{'approval h 1':{'action':" + action + "}}";
    }

    @Test
    void taskAsksAndIsAnswered() {
        String both = "{'elicitation':{'form':{}},'extensions':{'io.modelcontextprotocol/tasks':{}}}";
        waitFor(approval(0, null, null));
        send(both, "tools/call", WRITE);

        JsonNode task = result(send(both, "tasks/get", TASK));
        send(both, "tasks/update", TASK + ",'inputResponses':{'approval h 1':{'action':'decline'},'approval h 2':"
                + "{'action':'decline'},'x':{}}");

        assertThat(task.path("status").asString()).isEqualTo("input_required");
        assertThat(task.path("statusMessage").asString()).isEqualTo("waits for approval: big");
        assertThat(task.path("inputRequests")).hasSize(1);
        assertThat(fleet.decided).containsExactly(
                Decision.reject("h 1", null, "The person declined to approve it."));
        assertThat(errorCode(send(both, "tasks/update", TASK + ",'inputResponses':{'approval h 1':{'action':"
                + "'accept'}}"))).isEqualTo(-32602);
    }

    @Test
    void nobodyIsAskedWhoMayNotDecideAlone() {
        for (Approval approval : List.of(approval(1, null, null), approval(0, 2, null), approval(0, null, "ann"))) {
            waitFor(approval);
            assertThat(result(send(FORMS, "tools/call", WRITE)).path("resultType").asString()).isEqualTo("complete");
        }
        waitFor(approval(0, null, null));
        for (String capabilities : List.of("{}", "{'elicitation':{'url':{}}}"))
            assertThat(result(send(capabilities, "tools/call", WRITE)).path("resultType").asString())
                    .isEqualTo("complete");
        gateway.close();
        gateway = new TestGateway(fleet, fleet.calls, Map.of("ann.tokenHash", TestGateway.hash("ann"), "ann.scopes",
                "tools:list,tools:call"), "");
        assertThat(result(as("ann", FORMS, PATH, "tools/call", WRITE)).path("resultType").asString())
                .isEqualTo("complete");
        assertThat(errorCode(as("ann", TASKS, PATH, "tasks/update", TASK
                + ",'inputResponses':{'approval h 1':{'action':'decline'}}"))).isEqualTo(-32602);
        assertThat(fleet.decided).isEmpty();
    }

    @Test
    void taskIsKnownBeforeTheReadModelIs() {
        fleet.readModelIsBehind = true;
        fleet.answering(_ -> null);

        JsonNode begun = result(send(TASKS, "tools/call", WRITE));
        fleet.calls.accepted(CALL, fleet.run.getFirst());

        assertThat(begun.path("status").asString()).isEqualTo("working");
        assertThat(Instant.parse(begun.path("createdAt").asString())).isAfter(TestGateway.NOW);
        assertThat(result(send(TASKS, "tasks/get", TASK)).path("status").asString()).isEqualTo("working");
        assertThat(fleet.run).extracting(ToolCall::name).containsExactly("t__write");
    }
}
