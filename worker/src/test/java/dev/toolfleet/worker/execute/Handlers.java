package dev.toolfleet.worker.execute;

import java.util.List;
import java.util.Map;

import dev.toolfleet.bundle.EntryKind;
import dev.toolfleet.middleware.ExtensionModule;
import dev.toolfleet.tool.ToolHandler;
import dev.toolfleet.tool.ToolModule;
import dev.toolfleet.wire.ToolRef;
import dev.toolfleet.worker.TestResources;
import dev.toolfleet.worker.registry.ModuleLoader;
import dev.toolfleet.worker.registry.RegisteredTool;
import dev.toolfleet.worker.registry.ToolRegistry;
import tools.jackson.databind.node.ObjectNode;

import static java.util.Objects.requireNonNull;

/// Registered tools around a test's own handler.
final class Handlers {
    private Handlers() {}

    /// An export that promises nothing.
    static RegisteredTool plain(ToolHandler handler) {
        return tool(handler, declared());
    }

    /// An export that may run twice.
    static RegisteredTool idempotent(ToolHandler handler) {
        ObjectNode tool = declared();
        TestResources.export(tool, "run").putObject("annotations").put("idempotent", true);
        return tool(handler, tool);
    }

    private static ObjectNode declared() {
        return TestResources.tool("t", Handlers.class, "run");
    }

    private static RegisteredTool tool(ToolHandler handler, ObjectNode declaration) {
        ToolRegistry registry = new ToolRegistry(new ModuleLoader() {
            @Override
            public ToolModule tool(String bundle, EntryKind entry, Map<String, String> files) {
                return () -> Map.of("run", handler);
            }

            @Override
            public ExtensionModule extension(String bundle, EntryKind entry, Map<String, String> files) {
                throw new UnsupportedOperationException();
            }
        }, List.of(), () -> {});
        new TestResources().apply(registry, "acme", declaration);
        return requireNonNull(registry.acquire(new ToolRef("acme", "t", "run")));
    }
}
