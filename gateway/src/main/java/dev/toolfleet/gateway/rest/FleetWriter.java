package dev.toolfleet.gateway.rest;

import java.time.Duration;
import java.util.concurrent.CompletionStage;

import dev.toolfleet.client.HandleState;
import dev.toolfleet.client.SentCall;
import dev.toolfleet.client.StepCatalogView;
import dev.toolfleet.wire.Callback;
import dev.toolfleet.wire.CancelCall;
import dev.toolfleet.wire.Completion;
import dev.toolfleet.wire.Decision;
import dev.toolfleet.wire.StepEnded;
import dev.toolfleet.wire.StepStarted;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.wire.ToolResult;
import org.jspecify.annotations.Nullable;

/// The fleet as the routes write to it. Stages fail with a [dev.toolfleet.client.ToolFleetClientException]; methods throw
/// an [IllegalArgumentException] for a record that no worker would accept.
public interface FleetWriter {
    /// A call on its way.
    ///
    /// @param sent its place, once the broker has it
    /// @param first its first result, pending or final
    record SentRequest(CompletionStage<SentCall> sent, CompletionStage<ToolResult> first) {}

    /// Sends a call.
    ///
    /// @param wait the time for which its first result is awaited
    /// @param traceparent the W3C context to continue; null starts a trace
    /// @param callback the address for its final result; null for none
    SentRequest call(ToolCall call, Duration wait, @Nullable String traceparent, @Nullable Callback callback);

    /// Announces a step; the stage completes with its catalog.
    CompletionStage<StepCatalogView> beginStep(StepStarted step);

    /// Announces the end of a step.
    CompletionStage<Void> endStep(StepEnded step);

    /// Cancels calls.
    CompletionStage<Void> cancel(CancelCall cancel);

    /// Returns the state of a handle.
    CompletionStage<HandleState> handle(String handle);

    /// Sends a report of work behind a handle.
    CompletionStage<Void> complete(Completion completion);

    /// Sends a decision about a call that waits for a person.
    CompletionStage<Void> decide(Decision decision);
}
