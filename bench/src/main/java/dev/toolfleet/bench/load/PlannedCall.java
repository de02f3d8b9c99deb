package dev.toolfleet.bench.load;

import java.time.Duration;
import java.util.Locale;
import java.util.Optional;

import dev.toolfleet.json.Json;
import dev.toolfleet.wire.StepStarted;
import dev.toolfleet.wire.ToolCall;
import tools.jackson.databind.node.ObjectNode;

/// A call of the run.
///
/// @param number from 0, in the order of writing
/// @param at when it is written, from the run's start
/// @param turn number of its instance's turn; a turn has one step
/// @param again when the same call is written a second time, for those that are
public record PlannedCall(int number, Duration at, String instance, long turn, Work work, Optional<Duration> again) {
    /// The agent of every call.
    public static final String AGENT = "bench";
    /// Argument with the time for which the handler is busy.
    public static final String MILLIS = "millis";
    /// The argument with the length of the answer's text.
    public static final String BYTES = "bytes";
    /// The argument that makes the handler answer with a handle.
    public static final String PENDING = "pending";

    /// Names the call in results and effect files; no other call of the run has it.
    public String id() {
        return String.format(Locale.ROOT, "call-%06d", number);
    }

    /// Names the step within its instance.
    public String stepId() {
        return turnId() + "-step-0";
    }

    private String turnId() {
        return "turn-" + turn;
    }

    /// The record for `tool.call`.
    public ToolCall onTheWire() {
        ObjectNode arguments = Json.MAPPER.createObjectNode().put(MILLIS, work.takes().toMillis())
                .put(BYTES, work.bytes()).put(PENDING, work.course() == Course.PENDING);
        return ToolCall.of(id(), work.toolName(), arguments, instance).inStep(AGENT, turnId(), stepId(), 0);
    }

    /// The record for `agent.step`, written before the first call of the step.
    public StepStarted step() {
        return new StepStarted(instance, AGENT, turnId(), stepId(), 0, null, null, null);
    }
}
