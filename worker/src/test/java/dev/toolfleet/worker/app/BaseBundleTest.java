package dev.toolfleet.worker.app;

import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.ServiceLoader;

import dev.toolfleet.bundle.Resource;
import dev.toolfleet.loading.EntryModules;
import dev.toolfleet.loading.ScriptModules;
import dev.toolfleet.publishing.changeset.SwarmBundleTool;
import dev.toolfleet.resources.FleetResources;
import dev.toolfleet.wire.ToolRef;
import dev.toolfleet.worker.TestResources;
import dev.toolfleet.worker.egress.EgressList;
import dev.toolfleet.worker.registry.ToolRegistry;
import dev.toolfleet.worker.runtime.builtin.BuiltinBundle;
import dev.toolfleet.worker.runtime.builtin.BuiltinTool;
import dev.toolfleet.worker.runtime.builtin.ToolCeilings;
import dev.toolfleet.worker.sandbox.Sandbox;
import dev.toolfleet.worker.sandbox.SandboxConfig;
import dev.toolfleet.worker.tools.selfrestart.Restarts;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

import static org.assertj.core.api.Assertions.assertThat;

/// The worker is tested without optional modules of tools.
class BaseBundleTest {
    private final ToolRegistry registry = new ToolRegistry(
            FleetModules.of(bundle -> Path.of("."), (agent, caller) -> List.of(), Restarts.NONE,
                    Sandbox.prepare(SandboxConfig.OFF, Path.of("workspace")), Path.of("."), EgressList.ALL,
                    FleetModules::elsewhere, FleetModules::elsewhere, ToolCeilings.unset(), ScriptModules.NONE,
                    ChangesetRoom.none()::module, EntryModules.NO_TOKENS),
            List.of(), InstantSource.system(), () -> {});

    @Test
    void aWorkerWithoutOptionalModulesLoadsAllThatTheBaseBundleDeclares() {
        assertThat(ServiceLoader.load(BuiltinTool.class)).extracting(BuiltinTool::name)
                .containsExactly(SwarmBundleTool.NAME);

        new TestResources().apply(registry, FleetResources.BUILT_IN, BuiltinBundle.load().bundle().resources().stream()
                .map(Resource::document).toArray(ObjectNode[]::new));

        assertThat(registry.runs(new ToolRef(FleetResources.BUILT_IN, "wait", "seconds"))).isTrue();
        assertThat(registry.problems()).as("problems that keep the worker from being ready").isEmpty();
    }
}
