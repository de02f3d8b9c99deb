package dev.toolfleet.bundle;

import java.time.Duration;
import java.util.List;
import java.util.Set;

import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class TypedViewsTest {
    private static final JsonMapper JSON = JsonMapper.builder().build();

    @Test
    void aToolIsReadFromItsJsonAlone() {
        ToolSpec tool = ToolSpec.of(resource("Tool", "builds", """
                {"entry": "./lib/acme.jar#com.acme.Builds", "errorMessageLimit": 1200, "exports": [
                  {"name": "start", "description": "Starts", "parameters": {"type": "object", "required": ["a"]},
                   "annotations": {"idempotent": true}, "group": "system", "isTransactional": true, "timeout": "10m",
                   "async": {"heartbeatTimeout": "30s", "poll": {"interval": "5s"}}, "limits": {"maxConcurrent": 2},
                   "retry": {"maxAttempts": 3}},
                  {"name": "stop"}]}"""));

        ToolExport start = tool.exports().getFirst();
        assertThat(tool.errorMessageLimit()).isEqualTo(1200);
        assertThat(tool.entryKind()).isEqualTo(new EntryKind.JarClass("lib/acme.jar", "com.acme.Builds"));
        assertThat(tool.fullName(start)).isEqualTo("builds__start");
        assertThat(start.annotations()).isEqualTo(new ToolAnnotations(false, true, false, false));
        assertThat(start.annotations().repeatable()).isTrue();
        assertThat(start.policy().group()).contains("system");
        assertThat(start.policy().isTransactional()).isTrue();
        assertThat(start.execution().timeout()).contains(Duration.ofMinutes(10));
        assertThat(start.execution().async()).get().satisfies(async -> {
            assertThat(async.timeout()).isEqualTo(Duration.ofHours(24));
            assertThat(async.heartbeatTimeout()).contains(Duration.ofSeconds(30));
            assertThat(async.poll()).contains(
                    new PollSpec(Duration.ofSeconds(5), 1.5, Duration.ofSeconds(50)));
        });
        assertThat(start.execution().limits().maxConcurrent()).contains(new Concurrency.Fixed(2));
        assertThat(start.execution().retry())
                .contains(new RetrySpec(3, RetrySpec.DEFAULT_BACKOFF, Set.of()));
    }

    @Test
    void whatAToolDoesNotSayHasItsDefault() {
        ToolSpec tool = ToolSpec
                .of(resource("Tool", "x", "{\"entry\": \"builtin:x\", \"exports\": [{\"name\": \"y\"}]}"));

        ToolExport export = tool.exports().getFirst();
        assertThat(tool.errorMessageLimit()).isEqualTo(1000);
        assertThat(tool.runtime()).isEmpty();
        assertThat(export.parameters().toString()).isEqualTo("{\"type\":\"object\",\"properties\":{}}");
        assertThat(export.annotations()).isEqualTo(ToolAnnotations.NONE);
        assertThat(export.execution().timeout()).isEmpty();
        assertThat(export.execution().async()).isEmpty();
        assertThat(export.execution().limits()).isEqualTo(ToolLimits.NONE);
        assertThat(export.execution().retry()).isEmpty();
    }

    @Test
    void anAgentListsRefsInOrder() {
        AgentSpec agent = AgentSpec.of(resource("Agent", "coder", """
                {"tools": ["Tool/bash", {"ref": {"kind": "Tool", "name": "x", "package": "@goondan/base"}}],
                 "extensions": [{"ref": "Extension/logging", "config": {"level": "info"}}],
                 "requiredTools": ["bash__exec"]}"""));

        assertThat(agent.tools()).containsExactly(new Ref("Tool", "bash", null), new Ref("Tool", "x", "@goondan/base"));
        assertThat(agent.extensions().getFirst().config().path("level").stringValue()).isEqualTo("info");
        assertThat(agent.requiredTools()).containsExactly("bash__exec");
    }

    @Test
    void aSwarmAndAnExtensionAreRead() {
        assertThat(SwarmSpec
                .of(resource("Swarm", "s", "{\"entryAgent\": \"Agent/a\", \"agents\": [{\"ref\": \"Agent/a\"}]}"))
                .agents()).isEqualTo(List.of(new Ref("Agent", "a", null)));
        assertThat(ExtensionSpec.of(resource("Extension", "e", "{\"entry\": \"java:a.B\"}")).entryKind())
                .isEqualTo(new EntryKind.JavaClass("a.B"));
    }

    @Test
    void aToolOfV08IsCalledByItsExportsNameAlone() {
        ObjectNode json = resource("Tool", "slackToolkit",
                "{\"runtime\": \"node\", \"entry\": \"./x.js\", \"exports\": [{\"name\": \"slack.postMessage\"}]}");
        json.put("apiVersion", Kinds.V08);

        ToolSpec tool = ToolSpec.of(json);

        assertThat(tool.naming()).isEqualTo(ToolNaming.DOTTED);
        assertThat(tool.fullName(tool.exports().getFirst())).isEqualTo("slack.postMessage");
        assertThat(tool.nameProblem(tool.exports().getFirst())).isEmpty();
        assertThat(tool.runnable()).isTrue();
        assertThat(tool.errorMessageLimit()).isEqualTo(1000);
    }

    @Test
    void aSwarmOfV08NamesItsEntrypoint() {
        SwarmSpec swarm = SwarmSpec
                .of(resource("Swarm", "s", "{\"entrypoint\": {\"kind\": \"Agent\", \"name\": \"a\"}}"));

        assertThat(swarm.entryAgent()).isEqualTo(new Ref("Agent", "a", null));
    }

    @Test
    void aFieldOfAnotherShapeIsNamed() {
        assertThatThrownBy(
                () -> ToolSpec.of(resource("Tool", "x", "{\"entry\": \"java:a.B\", \"exports\": [{\"name\": 7}]}")))
                .isInstanceOf(InvalidResourceException.class).hasMessageContaining("Tool/x")
                .hasMessageContaining("spec.exports[0].name").hasMessageContaining("7");
        assertThatThrownBy(() -> AgentSpec.of(resource("Agent", "x", "{\"tools\": [\"bash\"]}")))
                .isInstanceOf(InvalidResourceException.class).hasMessageContaining("spec.tools[0]");
        assertThatThrownBy(() -> ToolSpec.of(resource("Agent", "x", "{}"))).isInstanceOf(InvalidResourceException.class)
                .hasMessageContaining("Agent/x");
    }

    @Test
    void entriesAreToldApart() {
        assertThat(EntryKind.parse("builtin:bash")).isEqualTo(new EntryKind.Builtin("bash"));
        assertThat(EntryKind.parse("java:com.acme.Outer$Inner"))
                .isEqualTo(new EntryKind.JavaClass("com.acme.Outer$Inner"));
        assertThat(EntryKind.parse("./tools/x/index.ts")).isEqualTo(new EntryKind.Script("tools/x/index.ts"));
        assertThat(EntryKind.parse("./x.ts").runnable()).isTrue();
        assertThat(EntryKind.parse("../x.ts").runnable()).isFalse();
        assertThat(EntryKind.parse("./lib/../../x.jar#a.B")).isInstanceOf(EntryKind.Malformed.class);
        assertThat(EntryKind.parse("/x.jar#a.B")).isInstanceOf(EntryKind.Malformed.class);
        assertThat(EntryKind.parse("./x\u0000.ts")).isInstanceOf(EntryKind.Malformed.class);
        assertThat(EntryKind.parse("java:a..B")).isInstanceOf(EntryKind.Malformed.class);
    }

    private static ObjectNode resource(String kind, String name, String spec) {
        ObjectNode resource = JSON.createObjectNode();
        resource.put("apiVersion", "goondan.ai/v1").put("kind", kind).putObject("metadata").put("name", name);
        resource.set("spec", JSON.readTree(spec));
        return resource;
    }
}
