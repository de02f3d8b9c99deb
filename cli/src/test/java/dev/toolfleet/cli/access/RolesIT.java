package dev.toolfleet.cli.access;

import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;

import dev.toolfleet.client.AgentInbox;
import dev.toolfleet.client.CallHandle;
import dev.toolfleet.client.Completions;
import dev.toolfleet.client.ToolFleetClient;
import dev.toolfleet.client.access.Role;
import dev.toolfleet.json.Json;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.topic.Topics;
import dev.toolfleet.wire.Completion;
import dev.toolfleet.wire.ResultStatus;
import dev.toolfleet.wire.StepStarted;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.wire.ToolResult;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.ResourceLock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/// Each role does its part, with no right but its own.
@ExtendWith(SecuredFleetExtension.class)
@ResourceLock("SecuredFleet")
class RolesIT {
    private static final Topics TOPICS = new Topics(SecuredFleet.PREFIX);

    private final SecuredFleet fleet;
    private final int begun;

    RolesIT(SecuredFleet fleet) {
        this.fleet = fleet;
        this.begun = fleet.now();
    }

    @Test
    void aRuntimeCallsAToolCompletesAndAnApproverDecides() throws Exception {
        String turn = "turn-" + System.nanoTime();
        try (ToolFleetClient runtime = ToolFleetClient.open(fleet.client("runtime"));
                Completions tool = Completions.open(fleet.client("tool"))) {
            get(runtime.beginStep(new StepStarted("chat:1", "coder", turn, "s-1", 1, null, null, null)));

            assertThat(get(call(runtime, turn, "c1", "file-system__list", "{\"path\":\".\"}").result()).status())
                    .isEqualTo(ResultStatus.OK);

            CallHandle work = call(runtime, turn, "c2", "later__start", "{}");
            String handle = String.valueOf(get(work.firstResult()).handle());
            get(tool.send(Completion.completed(handle, Json.MAPPER.readTree("{\"jar\":\"a\"}"), null)));
            assertThat(get(work.result()).status()).isEqualTo(ResultStatus.OK);

            CallHandle asked = call(runtime, turn, "c3", "file-system__write",
                    "{\"path\":\"a\",\"content\":\"b\"}");
            String approval = String.valueOf(get(asked.firstResult()).handle());
            assertThat(fleet.as("approver").succeeds("approvals")).contains("file-system__write");
            fleet.as("approver").succeeds("approve", approval, "--timeout", "60s");
            ToolResult written = get(asked.result());
            assertThat(written.status()).as(written.toString()).isEqualTo(ResultStatus.OK);
            assertThat(fleet.as("approver").succeeds("approvals", "--all")).contains("approved", "approver");

            CallHandle unwanted = call(runtime, turn, "c4", "later__start", "{}");
            String open = String.valueOf(get(unwanted.firstResult()).handle());
            assertThat(get(runtime.handle(open))).isNotNull();
            fleet.as("operator").succeeds("cancel", open, "--reason", "wrong", "--timeout", "60s");
            assertThat(get(unwanted.result()).error()).isNotNull();
        }
        for (String asking : List.of("operator", "analyst"))
            assertThat(fleet.as(asking).succeeds("explain", "c2", "--instance", "chat:1")).contains("has ended ok");
        assertThat(fleet.as("operator").succeeds("lane", "show", "chat:1")).contains("nothing is in the lane");
        // Of the workers' offsets brokers leave out those of topics that an operator may not see, and note it.
        nothingWasRefused("runtime", "tool", "approver", "worker", "catalog", "gateway");
    }

    @Test
    void aRuntimeHearsOfAgentsInItsOwnGroup() {
        try (AgentInbox inbox = AgentInbox.open(fleet.client("runtime"), SecuredFleet.RUNTIME_GROUP)) {
            assertThat(inbox.next(Duration.ofMillis(100))).isEmpty();
            assertThat(inbox.next(Duration.ofMillis(100))).isEmpty();
        }
        nothingWasRefused("runtime");
    }

    @Test
    void anOperatorSwitchesToolsOffAndADeployerAppliesAgain() {
        fleet.as("operator").succeeds("policy", "deny", "later__sleep", "--for", "1h", "--reason", "Too lazy.");
        assertThat(fleet.as("operator").succeeds("policy", "denials")).contains("later__sleep");
        fleet.as("operator").succeeds("policy", "lift", "later__sleep", "--reason", "Fine.");
        fleet.as("operator").succeeds("handles");
        fleet.as("deployer").succeeds("apply", "@toolfleet/base");
        fleet.as("deployer").succeeds("policy", "explain", "later__sleep", "--agent", "coder");
        nothingWasRefused("operator", "deployer");
    }

    @Test
    void anAnalystReadsWhatHappenedByHandAndInAGroup() {
        Map<String, Object> properties = fleet.properties("analyst");
        properties.put("group.id", "analytics-1");
        properties.put("enable.auto.commit", false);
        properties.put("auto.offset.reset", "earliest");
        try (var consumer = new KafkaConsumer<>(properties, new ByteArrayDeserializer(),
                new ByteArrayDeserializer())) {
            consumer.subscribe(Role.ANALYST.reads().stream().map(TOPICS::name).toList());
            long giveUp = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
            boolean some = false;
            while (!some && System.nanoTime() - giveUp < 0)
                some = !consumer.poll(Duration.ofMillis(200)).isEmpty();
            consumer.commitSync();
            assertThat(some).isTrue();
            assertThat(consumer.assignment()).hasSize(
                    Role.ANALYST.reads().stream().mapToInt(topic -> topic.group() == Topic.Group.SINGLE ? 1 : 2).sum());
        }
        fleet.as("analyst").succeeds("handles");
        nothingWasRefused("analyst");
    }

    /// Every write and read that a gateway does for its clients.
    @Test
    void aGatewayActsForClientsWithoutALogin() throws Exception {
        HttpClients client = new HttpClients(fleet.gatewayUrl());
        String agent = "/v1/instances/chat%3A2/agents/coder";
        String step = "\"turnId\":\"turn-" + System.nanoTime() + "\",\"stepId\":\"s-1\"";
        assertThat(client.post(agent + "/steps", "{" + step + "}", 200).path("tools").size()).isPositive();

        assertThat(client.post(agent + "/calls", "{" + step + ",\"name\":\"file-system__list\",\"args\":{\"path\":"
                + "\".\"}}", 200).path("status").asString()).isEqualTo("ok");

        String handle = client.post(agent + "/calls", "{" + step + ",\"name\":\"later__start\",\"id\":\"c2\"}", 202)
                .path("handle").asString();
        client.post("/v1/handles/" + handle + "/completions", "{\"kind\":\"completed\",\"output\":{\"jar\":\"a\"}}",
                202);

        String approval = client
                .post(agent + "/calls", "{" + step + ",\"name\":\"file-system__write\",\"id\":\"c3\",\"args\":"
                        + "{\"path\":\"c\",\"content\":\"d\"}}", 202)
                .path("handle").asString();
        client.post("/v1/handles/" + approval + "/decision", "{\"decision\":\"approve\",\"by\":\"ann\"}", 202);

        HttpResponse<Void> sent = client.call(agent + "/calls", "{" + step + ",\"name\":\"later__start\",\"id\":"
                + "\"c4\"}");
        String location = sent.headers().firstValue("Location").orElseThrow();
        client.post(location + "/cancel", "{\"reason\":\"wrong\"}", 202);
        await().atMost(Duration.ofMinutes(1)).until(() -> client.get(location).has("result"));
        client.post(agent + "/steps/" + "turn/s-1/end", "", 202);
        nothingWasRefused("gateway");
    }

    /// What has no part in a call's life: other owners' transactions, contents that nobody names any more.
    @Test
    void workersAndServicesKeepHouse() {
        new Housekeepers(fleet).fenceADeadWorker();
        new Housekeepers(fleet).removeAnOldContent();
        nothingWasRefused("worker", "catalog");
    }

    private void nothingWasRefused(String... users) {
        for (String user : users)
            assertThat(fleet.refusals(user, begun)).as(user).isEmpty();
    }

    private static CallHandle call(ToolFleetClient runtime, String turn, String id, String name, String args) {
        return runtime.call(ToolCall.of(id, name, Json.MAPPER.readTree(args), "chat:1").inStep("coder", turn, "s-1",
                1));
    }

    private static <T> T get(CompletionStage<T> stage) throws Exception {
        return stage.toCompletableFuture().get(60, TimeUnit.SECONDS);
    }
}
