package dev.toolfleet.worker.runtime.builtin;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

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

        assertThat(BuiltinModules.tools((agent, caller) -> List.of(), Restarts.NONE, sandbox, Path.of("."),
                EgressList.ALL)).containsKeys("bash", "wait").doesNotContainKeys("slack", "telegram");
        assertThat(ToolCeilings.of(Settings.of("worker.tools", Map.of())).byName()).containsOnlyKeys("bash",
                "file-system", "http-fetch");
    }
}
