package dev.toolfleet.worker.tools.wait;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;

import dev.toolfleet.json.Json;
import dev.toolfleet.tool.ToolContext;
import dev.toolfleet.tool.ToolHandler;
import dev.toolfleet.tool.ToolModule;
import dev.toolfleet.tool.ToolOutput;
import dev.toolfleet.worker.tools.args.Arguments;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// The built-in Tool `wait` with the export `seconds`. Parameters and results are Goondan's, and `completed`: a wait
/// that would outlast the call's deadline ends before it and reports that. It holds a parked virtual thread and nothing
/// else.
public final class WaitModule implements ToolModule {
    private static final double MAX_SECONDS = 300;
    /// Kept free before the deadline, so that the answer still reaches the caller.
    private static final Duration MARGIN = Duration.ofMillis(500);

    private final InstantSource clock;
    private final Sleeper sleeper;

    /// Waits; tests put another clock in its place.
    interface Sleeper {
        void sleep(Duration time) throws InterruptedException;
    }

    /// A module that really waits.
    public WaitModule() {
        this(InstantSource.system(), Thread::sleep);
    }

    WaitModule(InstantSource clock, Sleeper sleeper) {
        this.clock = clock;
        this.sleeper = sleeper;
    }

    @Override
    public Map<String, ToolHandler> handlers() {
        return Map.of("seconds", this::seconds);
    }

    private ToolOutput seconds(ToolContext ctx, ObjectNode input) throws InterruptedException {
        double asked = seconds(input.get("seconds"));
        Duration time = Duration.ofMillis(Math.round(asked * 1000));
        Duration longest = longest(Duration.between(clock.instant(), ctx.deadline()));
        if (time.compareTo(longest) <= 0) {
            sleeper.sleep(time);
            return result(asked, time, true);
        }
        Instant start = clock.instant();
        sleeper.sleep(longest);
        Duration waited = Duration.ofMillis(Duration.between(start, clock.instant()).toMillis());
        return result(waited.toMillis() / 1000.0, waited, false);
    }

    private static ToolOutput result(double seconds, Duration waited, boolean completed) {
        ObjectNode result = Json.MAPPER.createObjectNode();
        if (seconds == Math.rint(seconds))
            result.put("waitedSeconds", (long) seconds);
        else
            result.put("waitedSeconds", seconds);
        return ToolOutput.of(result.put("waitedMs", waited.toMillis()).put("completed", completed));
    }

    private static double seconds(@Nullable JsonNode value) {
        if (value == null || !value.isNumber() || !Double.isFinite(value.doubleValue()))
            throw Arguments.invalid("'seconds' must be a finite number");
        if (value.doubleValue() < 0)
            throw Arguments.invalid("'seconds' must be greater than or equal to 0");
        if (value.doubleValue() > MAX_SECONDS)
            throw Arguments.invalid("'seconds' must be less than or equal to 300",
                    "Wait 300 seconds now, look whether it is time, and wait again.");
        return value.doubleValue();
    }

    private static Duration longest(Duration untilDeadline) {
        Duration quarter = untilDeadline.dividedBy(4);
        Duration longest = untilDeadline.minus(quarter.compareTo(MARGIN) < 0 ? quarter : MARGIN);
        return longest.isNegative() ? Duration.ZERO : longest;
    }
}
