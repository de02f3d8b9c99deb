package dev.toolfleet.client.turn;

import java.util.concurrent.CompletionStage;

import dev.toolfleet.client.CallHandle;
import dev.toolfleet.client.StepCatalogView;
import dev.toolfleet.client.ToolFleetClient;
import dev.toolfleet.wire.StepEnded;
import dev.toolfleet.wire.StepStarted;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.wire.ToolResult;

/// The fleet as a turn uses it. Thread-safe.
public interface TurnFleet {
    /// Results of a call that was sent.
    ///
    /// @param first the first result: the final one, or a pending one
    /// @param last the final result
    record SentCallResults(CompletionStage<ToolResult> first, CompletionStage<ToolResult> last) {}

    /// Announces a step and returns its catalog.
    CompletionStage<StepCatalogView> beginStep(StepStarted step);

    /// Announces the end of a step.
    CompletionStage<Void> endStep(StepEnded step);

    /// Sends a call. Calls of one instance that are sent one after the other run in that order.
    SentCallResults call(ToolCall call);

    /// Returns the fleet behind a client of its broker. The client stays the caller's to close.
    static TurnFleet over(ToolFleetClient client) {
        return new TurnFleet() {
            @Override
            public CompletionStage<StepCatalogView> beginStep(StepStarted step) {
                return client.beginStep(step);
            }

            @Override
            public CompletionStage<Void> endStep(StepEnded step) {
                return client.endStep(step);
            }

            @Override
            public SentCallResults call(ToolCall call) {
                CallHandle handle = client.call(call);
                return new SentCallResults(handle.firstResult(), handle.result());
            }
        };
    }
}
