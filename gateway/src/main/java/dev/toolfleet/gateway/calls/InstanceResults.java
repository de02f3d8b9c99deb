package dev.toolfleet.gateway.calls;

import java.util.List;

import dev.toolfleet.wire.ToolResult;

/// Final results of an instance behind a position, in the order of `tool.result`.
///
/// @param results may be empty: none came while the reader waited
public record InstanceResults(List<One> results) {
    /// Copies the results.
    public InstanceResults {
        results = List.copyOf(results);
    }

    /// Final result of one call.
    ///
    /// @param at the position behind which a reader continues
    /// @param call the call's id
    /// @param result its final result
    public record One(ResultPosition at, CallId call, ToolResult result) {}
}
