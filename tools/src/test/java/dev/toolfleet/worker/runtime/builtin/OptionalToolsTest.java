package dev.toolfleet.worker.runtime.builtin;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;

import dev.toolfleet.bundle.Resource;
import dev.toolfleet.config.Settings;
import dev.toolfleet.worker.egress.EgressList;
import dev.toolfleet.worker.sandbox.Sandbox;
import dev.toolfleet.worker.sandbox.SandboxConfig;
import dev.toolfleet.worker.tools.selfrestart.Restarts;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/// This module is tested without the optional ones.
class OptionalToolsTest {
    @Test
    void aWorkerDoesWithoutTheMessagingTools() {
        Sandbox sandbox = Sandbox.prepare(SandboxConfig.OFF, Path.of("workspace"));

        Set<String> modules = BuiltinModules.tools((agent, caller) -> List.of(), Restarts.NONE, sandbox, Path.of("."),
                EgressList.ALL).keySet();
        assertThat(modules).contains("bash", "wait").doesNotContain("slack", "telegram");
        assertThat(BuiltinBundle.load().bundle().ofKind("Tool")).as("declared in @toolfleet/base")
                .extracting(Resource::name).containsExactlyInAnyOrderElementsOf(modules);
        assertThat(ToolCeilings.of(Settings.of("worker.tools", Map.of())).byName()).containsOnlyKeys("bash",
                "file-system", "http-fetch");
    }
}
