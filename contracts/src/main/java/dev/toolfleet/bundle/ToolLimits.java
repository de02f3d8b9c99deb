package dev.toolfleet.bundle;

import java.util.Optional;
import java.util.OptionalDouble;

/// How much of an export is used at a time, on each worker.
///
/// @param maxConcurrent how many of its calls may run; empty means no limit
/// @param ratePerSecond how many may start; empty means no limit
/// @param circuitBreaker when it is given a rest; empty means never
/// @param holdWhilePending whether a call that waits for its handle still counts as one that runs
public record ToolLimits(Optional<Concurrency> maxConcurrent, OptionalDouble ratePerSecond,
        Optional<BreakerSpec> circuitBreaker, boolean holdWhilePending) {
    /// Nothing is limited.
    public static final ToolLimits NONE = new ToolLimits(Optional.empty(), OptionalDouble.empty(), Optional.empty(),
            false);

    /// Checks that a rate is one.
    public ToolLimits {
        if (ratePerSecond.isPresent() && !(ratePerSecond.getAsDouble() > 0
                && Double.isFinite(ratePerSecond.getAsDouble()))) {
            throw new IllegalArgumentException(
                    "ratePerSecond must be a positive number, and is " + ratePerSecond.getAsDouble());
        }
    }

    static ToolLimits of(ResourceJson json) {
        json.object();
        ResourceJson concurrency = json.get("maxConcurrent");
        ResourceJson rate = json.get("ratePerSecond");
        ResourceJson breaker = json.get("circuitBreaker");
        if (rate.present() && !(rate.number(0) > 0 && Double.isFinite(rate.number(0))))
            throw rate.wrong("a positive number");
        return new ToolLimits(concurrency.present() ? Optional.of(Concurrency.of(concurrency)) : Optional.empty(),
                rate.present() ? OptionalDouble.of(rate.number(0)) : OptionalDouble.empty(), breaker(breaker),
                json.get("holdWhilePending").flag());
    }

    private static Optional<BreakerSpec> breaker(ResourceJson json) {
        if (json.node().isBoolean())
            return json.flag() ? Optional.of(BreakerSpec.DEFAULT) : Optional.empty();
        if (!json.present())
            return Optional.empty();
        json.object();
        return Optional.of(BreakerSpec.of(json));
    }
}
