package dev.toolfleet.cli.training;

import java.util.Map;

import dev.toolfleet.tool.ToolHandler;
import dev.toolfleet.tool.ToolModule;
import dev.toolfleet.tool.ToolOutput;

/// Tool of the training bundle; its export returns its arguments.
public final class TrainingTool implements ToolModule {
    /// For the worker.
    public TrainingTool() {}

    @Override
    public Map<String, ToolHandler> handlers() {
        return Map.of("put", (_, input) -> ToolOutput.of(input));
    }
}
