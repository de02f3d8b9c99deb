package dev.toolfleet.bench.memory;

import java.util.LinkedHashMap;
import java.util.Map;

import dev.toolfleet.bench.load.Kind;
import dev.toolfleet.tool.ToolHandler;
import dev.toolfleet.tool.ToolModule;
import dev.toolfleet.tool.ToolOutput;

/// Tools that do nothing, one of each kind.
public final class ManyTools implements ToolModule {
    /// For the worker.
    public ManyTools() {}

    @Override
    public Map<String, ToolHandler> handlers() {
        Map<String, ToolHandler> handlers = new LinkedHashMap<>();
        for (Kind kind : Kind.values())
            handlers.put(kind.export(), (ctx, input) -> ToolOutput.of(Map.of("attempt", ctx.attempt())));
        return handlers;
    }
}
