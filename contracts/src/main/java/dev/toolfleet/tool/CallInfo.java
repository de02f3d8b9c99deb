package dev.toolfleet.tool;

import dev.toolfleet.tool.ToolContext.Caller;
import org.jspecify.annotations.Nullable;

/// Origin of a call, as its handler and its middlewares see it.
///
/// **Contract.** The caller sent it all, and no layer changes it.
///
/// **Threads.** Any.
public interface CallInfo {
    /// Returns the agent whose model called; null when the call named none.
    @Nullable
    String agentName();

    /// Returns the conversation.
    String instanceKey();

    /// Returns the turn; null when the call named none.
    @Nullable
    String turnId();

    /// Returns the step; null when the call named none.
    @Nullable
    String stepId();

    /// Returns the trace id, for correlation; null when the call named none.
    @Nullable
    String traceId();

    /// Returns the model's id of this call.
    String toolCallId();

    /// Returns the person for whom the agent acts.
    Caller caller();
}
