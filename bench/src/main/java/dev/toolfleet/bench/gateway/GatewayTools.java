package dev.toolfleet.bench.gateway;

import java.util.Map;

import dev.toolfleet.bench.load.Kind;
import dev.toolfleet.tool.ToolHandler;
import dev.toolfleet.tool.ToolModule;
import dev.toolfleet.tool.ToolOutput;

/// Tools of a run: one that returns its arguments, and one whose work goes on elsewhere and never ends.
public final class GatewayTools implements ToolModule {
    static final String NUMBER = "number";
    static final String TEXT = "text";

    /// For the worker.
    public GatewayTools() {}

    @Override
    public Map<String, ToolHandler> handlers() {
        return Map.of(Kind.READ_ONLY.export(), (ctx, input) -> ToolOutput.of(input), Kind.IDEMPOTENT.export(),
                (ctx, input) -> ToolOutput.of(input), Kind.ONCE.export(),
                (ctx, input) -> ToolOutput.pending(ctx.newHandle(), Map.of("message", "The work has begun.")));
    }
}
