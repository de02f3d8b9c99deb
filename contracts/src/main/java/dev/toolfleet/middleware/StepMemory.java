package dev.toolfleet.middleware;

import dev.toolfleet.wire.ToolResult;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// What an extension remembers, per instance and agent, of a tool's results. Runs in the catalog service while
/// many steps wait, for at most 2 s: then what was remembered stays.
@FunctionalInterface
public interface StepMemory {
    /// What to remember after a result. A function of its arguments alone.
    ///
    /// @param before what is remembered; null at first
    /// @param result final, with status `ok`, of a call by the agent itself, and not the repetition of an earlier one
    /// @return null leaves the memory as it is
    @Nullable
    JsonNode after(@Nullable JsonNode before, ToolResult result);
}
