package dev.toolfleet.worker.app;

import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;

import dev.toolfleet.bundle.EntryKind;
import dev.toolfleet.bundle.OperatorDenial;
import dev.toolfleet.bundle.Resource;
import dev.toolfleet.loading.EntryModules;
import dev.toolfleet.loading.ModuleLoader;
import dev.toolfleet.loading.ScriptModules;
import dev.toolfleet.policy.PolicyCaller;
import dev.toolfleet.resources.FleetResources;
import dev.toolfleet.wire.ToolCatalogItem;
import dev.toolfleet.worker.TestResources;
import dev.toolfleet.worker.egress.EgressList;
import dev.toolfleet.worker.registry.ToolRegistry;
import dev.toolfleet.worker.runtime.builtin.BuiltinBundle;
import dev.toolfleet.worker.runtime.builtin.ToolCeilings;
import dev.toolfleet.worker.sandbox.Sandbox;
import dev.toolfleet.worker.sandbox.SandboxConfig;
import dev.toolfleet.worker.tools.selfrestart.Restarts;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

import static org.assertj.core.api.Assertions.assertThat;

class SelectableToolsIT {
    private static final Sandbox SANDBOX = Sandbox.prepare(SandboxConfig.OFF, Path.of("workspace"));
    private final ModuleLoader loader = FleetModules.of(bundle -> Path.of("."), (agent, caller) -> List.of(),
            Restarts.NONE, SANDBOX, Path.of("."), EgressList.ALL, FleetModules::elsewhere, FleetModules::elsewhere,
            ToolCeilings.unset(),
            ScriptModules.NONE,
            ChangesetRoom.none()::module, EntryModules.NO_TOKENS);
    private final ToolRegistry registry = new ToolRegistry(loader, List.of(), InstantSource.system(), () -> {});
    private final SelectableTools selectable = new SelectableTools(registry::resources, InstantSource.system());
    private final TestResources topic = new TestResources();

    @Test
    void aSearchIsAmongTheAgentsToolsOnDemandOnesIncludedAndHiddenOnesAndItselfNot() {
        topic.apply(registry, FleetResources.BUILT_IN, BuiltinBundle.load().bundle().ofKind("Tool").stream()
                .map(Resource::document).toArray(ObjectNode[]::new));
        topic.apply(registry, "acme", TestResources.agent("coder", "Tool/bash", "Tool/tool-search", "Tool/file-system"),
                group("data", "never"));

        assertThat(selectable("coder", "ann"))
                .extracting(ToolCatalogItem::name)
                .containsExactly("bash__exec", "bash__script");
        assertThat(selectable("nobody", "ann")).isEmpty();
    }

    @Test
    void whatPolicyDeniesToTheCallerIsNotFoundAndTheNextRevisionCounts() {
        topic.apply(registry, FleetResources.BUILT_IN, BuiltinBundle.load().bundle().ofKind("Tool").stream()
                .map(Resource::document).toArray(ObjectNode[]::new));
        ObjectNode coder = TestResources.agent("coder", "Tool/bash");
        topic.apply(registry, "acme", coder, denying("bash__script", "bob"));

        assertThat(names(selectable("coder", "ann"))).containsExactly("bash__exec", "bash__script");
        assertThat(names(selectable("coder", "bob"))).containsExactly("bash__exec");

        topic.apply(registry, "acme", coder, denying("bash__*", "ann"));
        assertThat(names(selectable("coder", "ann"))).isEmpty();
        assertThat(names(selectable("coder", "bob"))).containsExactly("bash__exec", "bash__script");
    }

    @Test
    void whatAnOperatorSwitchesOffIsInTheWorkersResourcesUntilItEnds() {
        AtomicReference<Instant> now = new AtomicReference<>(Instant.parse("2026-11-21T20:00:00Z"));
        SelectableTools byThisClock = new SelectableTools(registry::resources, now::get);
        topic.apply(registry, "acme", TestResources.agent("coder", "Tool/t"),
                TestResources.tool("t", getClass(), "run"));
        OperatorDenial denial = OperatorDenial.of("t__*", "Odd.", "ada", now.get(),
                now.get().plusSeconds(60));
        topic.deny(registry, denial);

        assertThat(registry.resources().denials()).containsExactly(denial);
        assertThat(byThisClock.tools("coder", new PolicyCaller("ann", null, "coder"))).isEmpty();
        now.set(denial.until());
        assertThat(names(byThisClock.tools("coder", new PolicyCaller("ann", null, "coder")))).containsExactly("t__run");
    }

    @Test
    void everyBuiltInExtensionIsKnownHere() {
        for (Resource extension : BuiltinBundle.load().bundle().ofKind("Extension"))
            assertThat(loader.extension(FleetResources.BUILT_IN, new EntryKind.Builtin(extension.name()), Map.of()))
                    .isNotNull();
    }

    private List<ToolCatalogItem> selectable(String agent, String user) {
        return selectable.tools(agent, new PolicyCaller(user, null, agent));
    }

    private static List<String> names(List<ToolCatalogItem> items) {
        return items.stream().map(ToolCatalogItem::name).toList();
    }

    private static ObjectNode denying(String tool, String user) {
        ObjectNode policy = TestResources.agent("p");
        ObjectNode rule = policy.put("kind", "ToolPolicy").put("apiVersion", "toolfleet.dev/v1").putObject("spec")
                .putArray("rules").addObject().put("tool", tool).put("verdict", "deny");
        rule.putObject("scope").put("userId", user);
        return policy;
    }

    private static ObjectNode group(String name, String inclusion) {
        ObjectNode group = TestResources.agent(name);
        group.put("kind", "ToolGroup").put("apiVersion", "toolfleet.dev/v1").putObject("spec")
                .put("includeInPromptWhen", inclusion);
        return group;
    }
}
