package dev.toolfleet.bench.load;

import java.time.Duration;
import java.util.Locale;
import java.util.Optional;

import dev.toolfleet.json.Json;
import dev.toolfleet.wire.ToolCall;

/// A call of the run.
///
/// @param number from 0, in the order of writing
/// @param at when it is written, from the run's start
/// @param takes how long its handler is busy
/// @param again when the same call is written a second time, for those that are
public record PlannedCall(int number, Duration at, String instance, Kind kind, Duration takes,
        Optional<Duration> again) {
    /// The agent of every call.
    public static final String AGENT = "bench";
    /// The argument that says how long the handler is busy.
    public static final String MILLIS = "millis";
    private static final int STEPS_PER_TURN = 10;

    /// Names the call in results and effect files; no other call of the run has it.
    public String id() {
        return String.format(Locale.ROOT, "call-%06d", number);
    }

    /// What is written to `tool.call`.
    public ToolCall onTheWire() {
        int step = number % STEPS_PER_TURN;
        String turn = "turn-" + number / STEPS_PER_TURN;
        return ToolCall
                .of(id(), kind.toolName(), Json.MAPPER.createObjectNode().put(MILLIS, takes.toMillis()), instance)
                .inStep(AGENT, turn, turn + "-step-" + step, step);
    }
}
