package dev.toolfleet.middleware;

import dev.toolfleet.wire.ToolResult;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// Memory of an extension, per instance and agent, of a tool's results. Runs in the catalog service while many steps
/// wait, for at most 2 s. After that, the earlier memory stays.
@FunctionalInterface
public interface StepMemory {
    /// Returns the memory after a result. A function of its arguments alone.
    ///
    /// @param before the earlier memory; null at first
    /// @param result final, with status `ok`, of a call by the agent itself, and not the repetition of an earlier one
    /// @return null leaves the memory unchanged
    @Nullable
    JsonNode after(@Nullable JsonNode before, ToolResult result);
}
