package dev.toolfleet.worker.runtime.builtin;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;

import dev.toolfleet.bundle.BuiltIns;
import dev.toolfleet.bundle.Concurrency;
import dev.toolfleet.bundle.EntryKind;
import dev.toolfleet.bundle.Resource;
import dev.toolfleet.bundle.Severity;
import dev.toolfleet.bundle.ToolExport;
import dev.toolfleet.bundle.ToolSpec;
import dev.toolfleet.bundle.check.BundleValidator;
import dev.toolfleet.bundle.yaml.BundleLoader.LoadResult;
import dev.toolfleet.tool.ToolModule;
import dev.toolfleet.worker.egress.EgressList;
import dev.toolfleet.worker.sandbox.Sandbox;
import dev.toolfleet.worker.sandbox.SandboxConfig;
import dev.toolfleet.worker.tools.selfrestart.Restarts;
import org.junit.jupiter.api.Test;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

class BuiltinBundleIT {
    private static final Sandbox SANDBOX = Sandbox.prepare(SandboxConfig.OFF, Path.of("workspace"));

    @Test
    void theBuiltInBundleValidatesWithoutAnyProblem() {
        LoadResult loaded = load();
        assertThat(new BundleValidator(BuiltIns.of(loaded.bundle())).validate(loaded).problems())
                .as("but for names that the seeds gave").allSatisfy(problem -> {
                    assertThat(problem.severity()).isEqualTo(Severity.HINT);
                    assertThat(problem.message()).containsAnyOf("'downloadFile'", "'setChatAction'");
                });
        assertThat(loaded.bundle().packageName()).contains("@toolfleet/base");
    }

    @Test
    void everyDeclaredExportHasAHandlerAndTheOtherWayRound() {
        for (Resource tool : load().bundle().ofKind("Tool")) {
            ToolSpec spec = ToolSpec.of(tool.document());
            assertThat(spec.entryKind()).isEqualTo(new EntryKind.Builtin(spec.name()));
            try (ToolModule module = requireNonNull(
                    BuiltinModules.tools((agent, caller) -> List.of(), Restarts.NONE, SANDBOX, Path.of("."),
                            EgressList.ALL)
                            .get(spec.name()))
                    .get()) {
                assertThat(module.handlers().keySet())
                        .isEqualTo(spec.exports().stream().map(ToolExport::name).collect(Collectors.toSet()));
            }
        }
        assertThat(load().bundle().ofKind("Tool").stream().map(Resource::name))
                .containsExactlyInAnyOrderElementsOf(
                        BuiltinModules.tools((agent, caller) -> List.of(), Restarts.NONE, SANDBOX, Path.of("."),
                                EgressList.ALL)
                                .keySet());
    }

    @Test
    void shellsRunFourTimesTheProcessorsAtATime() {
        Resource bash = load().bundle().ofKind("Tool").stream().filter(tool -> tool.name().equals("bash")).findFirst()
                .orElseThrow();
        assertThat(ToolSpec.of(bash.document()).exports()).allSatisfy(export -> assertThat(
                export.execution().limits().maxConcurrent()).contains(new Concurrency.PerCore(4)));
    }

    private static LoadResult load() {
        return BuiltinBundle.load();
    }
}
