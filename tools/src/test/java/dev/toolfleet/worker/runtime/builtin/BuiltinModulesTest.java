package dev.toolfleet.worker.runtime.builtin;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;

import dev.toolfleet.bundle.Kinds;
import dev.toolfleet.bundle.Resource;
import dev.toolfleet.tool.ToolModule;
import dev.toolfleet.worker.egress.EgressList;
import dev.toolfleet.worker.sandbox.Sandbox;
import dev.toolfleet.worker.sandbox.SandboxConfig;
import dev.toolfleet.worker.tools.selfrestart.Restarts;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class BuiltinModulesTest {
    @Test
    void everyDeclaredToolHasAModuleWithAHandlerForEachExport() {
        Map<String, Set<String>> declared = new TreeMap<>();
        for (Resource tool : BuiltinBundle.load().bundle().ofKind(Kinds.TOOL))
            declared.put(tool.spec().path("entry").stringValue().replaceFirst("builtin:", ""), exports(tool));

        assertThat(handlers()).isEqualTo(declared);
    }

    private static Set<String> exports(Resource tool) {
        Set<String> names = new TreeSet<>();
        tool.spec().path("exports").forEach(export -> names.add(export.path("name").stringValue()));
        return names;
    }

    private static Map<String, Set<String>> handlers() {
        Map<String, Supplier<ToolModule>> modules = BuiltinModules.tools((agent, caller) -> List.of(), Restarts.NONE,
                Sandbox.prepare(SandboxConfig.OFF, Path.of("workspace")), Path.of("."), EgressList.ALL);
        Map<String, Set<String>> handlers = new TreeMap<>();
        modules.forEach((name, module) -> handlers.put(name, new TreeSet<>(module.get().handlers().keySet())));
        return handlers;
    }
}
