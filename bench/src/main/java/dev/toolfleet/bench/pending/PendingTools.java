package dev.toolfleet.bench.pending;

import java.util.LinkedHashMap;
import java.util.Map;

import dev.toolfleet.bench.load.Kind;
import dev.toolfleet.tool.ToolHandler;
import dev.toolfleet.tool.ToolModule;
import dev.toolfleet.tool.ToolOutput;

/// Tools whose work goes on elsewhere, one of each kind. Each demands a token.
public final class PendingTools implements ToolModule {
    /// Token of every completion.
    static final String TOKEN = "of-the-bench";

    /// For the worker.
    public PendingTools() {}

    @Override
    public Map<String, ToolHandler> handlers() {
        Map<String, ToolHandler> handlers = new LinkedHashMap<>();
        for (Kind kind : Kind.values()) {
            handlers.put(kind.export(), (ctx, input) -> ToolOutput
                    .pending(ctx.newHandle(), Map.of("message", "The work has begun.")).demanding(TOKEN));
        }
        return handlers;
    }
}
