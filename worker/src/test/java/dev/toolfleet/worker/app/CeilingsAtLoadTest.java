package dev.toolfleet.worker.app;

import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;

import dev.toolfleet.config.Settings;
import dev.toolfleet.loading.EntryModules;
import dev.toolfleet.loading.ScriptModules;
import dev.toolfleet.wire.ToolRef;
import dev.toolfleet.worker.TestResources;
import dev.toolfleet.worker.egress.EgressList;
import dev.toolfleet.worker.registry.ToolRegistry;
import dev.toolfleet.worker.runtime.builtin.ToolCeilings;
import dev.toolfleet.worker.sandbox.Sandbox;
import dev.toolfleet.worker.sandbox.SandboxConfig;
import dev.toolfleet.worker.tools.selfrestart.Restarts;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

import static org.assertj.core.api.Assertions.assertThat;

/// A Tool whose configuration exceeds the worker's ceiling is not loaded, and the worker says why.
class CeilingsAtLoadTest {
    private static final Sandbox SANDBOX = Sandbox.prepare(SandboxConfig.OFF, Path.of("workspace"));

    @Test
    void aToolAboveTheCeilingIsRefusedAndTheOthersOfItsBundleRun() {
        ToolRegistry registry = registry(Map.of());

        new TestResources().apply(registry, "acme", shell("sh", true), shell("box", false));
        assertThat(registry.problems()).containsOnlyKeys("acme/sh");
        assertThat(registry.problems().get("acme/sh")).contains("Tool/sh spec.config.allowOutsideWorkdir is true",
                "worker.tools.bash.ceiling.allowOutsideWorkdir allows false only");
        assertThat(registry.current(new ToolRef("acme", "sh", "exec"))).isNull();
        assertThat(registry.current(new ToolRef("acme", "box", "exec"))).isNotNull();
    }

    @Test
    void theOperatorRaisesTheCeiling() {
        ToolRegistry registry = registry(Map.of("bash", Map.of("ceiling", Map.of("allowOutsideWorkdir", "true"))));

        new TestResources().apply(registry, "acme", shell("sh", true));
        assertThat(registry.problems()).isEmpty();
        assertThat(registry.current(new ToolRef("acme", "sh", "exec"))).isNotNull();
    }

    private static ToolRegistry registry(Map<String, Object> tools) {
        return new ToolRegistry(FleetModules.of(bundle -> Path.of("."), (agent, caller) -> List.of(), Restarts.NONE,
                SANDBOX, Path.of("."), EgressList.ALL, FleetModules::elsewhere, FleetModules::elsewhere,
                ToolCeilings.of(Settings.of("worker.tools", tools)), ScriptModules.NONE,
                ChangesetRoom.none()::module, EntryModules.NO_TOKENS),
                List.of(),
                InstantSource.system(), () -> {});
    }

    private static ObjectNode shell(String name, boolean outside) {
        ObjectNode tool = TestResources.tool(name, CeilingsAtLoadTest.class, "exec");
        ((ObjectNode) tool.path("spec")).put("entry", "builtin:bash").putObject("config").put("allowOutsideWorkdir",
                outside);
        return tool;
    }
}
