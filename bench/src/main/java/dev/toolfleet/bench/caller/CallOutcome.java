package dev.toolfleet.bench.caller;

import java.util.Set;

import dev.toolfleet.wire.ToolResult;

/// Outcome of a call for its client.
public sealed interface CallOutcome {
    /// The ids that gateways gave to the call.
    Set<String> ids();

    /// Number of requests that it took.
    int requests();

    /// A final result.
    record Answered(ToolResult result, Set<String> ids, int requests) implements CallOutcome {}

    /// No final result: a gateway refused the call, or none answered in time.
    ///
    /// @param why the last answer
    record Unanswered(String why, Set<String> ids, int requests) implements CallOutcome {}
}
