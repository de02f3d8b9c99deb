package dev.toolfleet.worker.tools.agents;

import java.util.List;

import dev.toolfleet.json.Json;
import dev.toolfleet.testkit.FakeAgentRuntime;
import dev.toolfleet.testkit.FakeToolContext;
import dev.toolfleet.testkit.ToolContract;
import dev.toolfleet.tool.ToolException;
import dev.toolfleet.tool.ToolOutput;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

@Isolated("the contract of a tool compares the threads and files of this JVM")
class AgentsModuleIT {
    private final FakeAgentRuntime agents = new FakeAgentRuntime(List.of("reviewer"), input -> "seen: " + input);
    private final FakeToolContext ctx = FakeToolContext.create().runtime(agents);

    @Test
    void itPassesTheContract() throws InterruptedException {
        ToolContract.of(AgentsModule::new)
                .context(each -> each.runtime(new FakeAgentRuntime(List.of("reviewer"), input -> input)))
                .export("request").input("{'target': 'reviewer', 'input': 'x'}")
                .input("{'target': 'reviewer', 'input': 'x', 'async': true}")
                .failingInput("{'target': 'nobody', 'input': 'x'}").failingInput("{'target': 'reviewer'}")
                .failingInput("{'target': 'reviewer', 'input': 'x', 'timeoutMs': 0}")
                .export("send").input("{'target': 'reviewer', 'input': 'x'}").failingInput("{'input': 'x'}")
                .export("spawn").input("{'target': 'reviewer'}").failingInput("{'target': ''}")
                .export("list").input("{}").input("{'includeAll': true}")
                .export("catalog").input("{}").verify();
    }

    @Test
    void aRequestWaitsAndAnAsynchronousOneAnswersAtOnce() throws Exception {
        assertThat(run("request", "target", "reviewer", "input", "x")).isInstanceOfSatisfying(
                ToolOutput.Pending.class, pending -> assertThat(pending.heartbeatTimeout()).hasSeconds(60));

        JsonNode later = value(run("request", "target", "reviewer", "input", "y", "async", true));
        assertThat(later.path("async").booleanValue()).isTrue();
        assertThat(later.path("accepted").booleanValue()).isTrue();
        assertThat(later.path("correlationId").isString()).isTrue();
        assertThat(later.path("response").isNull()).isTrue();
    }

    @Test
    void whatIsSentIsWhatTheModelSaid() throws Exception {
        ObjectNode metadata = Json.MAPPER.createObjectNode().put("n", 1);
        run("send", "target", "reviewer", "input", "hello", "eventType", "note", "instanceKey", "k", "metadata",
                metadata);

        assertThat(agents.sent()).singleElement().satisfies(message -> {
            assertThat(message.input()).isEqualTo("hello");
            assertThat(message.name()).isEqualTo("note");
            assertThat(message.instanceKey()).isEqualTo("k");
            assertThat(message.metadata()).isEqualTo(metadata);
        });
    }

    @Test
    void aSpawnedInstanceIsListed() throws Exception {
        assertThat(value(run("spawn", "target", "reviewer", "instanceKey", "one")).path("spawned").booleanValue())
                .isTrue();
        assertThat(value(run("spawn", "target", "reviewer", "instanceKey", "one")).path("spawned").booleanValue())
                .isFalse();

        JsonNode list = value(run("list"));
        assertThat(list.path("count").intValue()).isEqualTo(1);
        assertThat(list.path("agents").get(0).path("instanceKey").stringValue()).isEqualTo("instance-1/one");
        assertThat(list.path("agents").get(0).path("ownerAgent").stringValue()).isEqualTo("agent-1");
        assertThat(list.path("agents").get(0).path("status").stringValue()).isEqualTo("spawned");
    }

    @Test
    void theCatalogCountsAndNames() throws Exception {
        JsonNode catalog = value(run("catalog"));

        assertThat(catalog.path("availableCount").intValue()).isEqualTo(2);
        assertThat(catalog.path("callableAgents").get(0).stringValue()).isEqualTo("reviewer");
        assertThat(catalog.path("selfAgent").stringValue()).isEqualTo("agent-1");
    }

    @Test
    void withoutAgentsItSaysSo() {
        try (FakeToolContext alone = FakeToolContext.create()) {
            assertThatThrownBy(() -> requireNonNull(new AgentsModule().handlers().get("catalog")).handle(alone,
                    Json.MAPPER.createObjectNode()))
                    .isInstanceOfSatisfying(ToolException.class,
                            e -> assertThat(e.code()).isEqualTo("E_AGENT_RUNTIME_MISSING"));
        }
    }

    private ToolOutput run(String export, Object... args) throws Exception {
        ObjectNode input = Json.MAPPER.createObjectNode();
        for (int i = 0; i < args.length; i += 2)
            input.set((String) args[i], Json.MAPPER.valueToTree(args[i + 1]));
        return requireNonNull(requireNonNull(new AgentsModule().handlers().get(export)).handle(ctx, input));
    }

    private static JsonNode value(ToolOutput output) {
        return Json.MAPPER.valueToTree(((ToolOutput.Value) output).value());
    }
}
