package dev.toolfleet.bundle;

import java.util.Optional;
import java.util.OptionalDouble;

/// Limits on the use of an export, on each worker.
///
/// @param maxConcurrent the most running calls; empty means no limit
/// @param ratePerSecond the most starts; empty means no limit
/// @param circuitBreaker the breaker; empty means none
/// @param holdWhilePending true if a call that waits for its handle still counts as running
public record ToolLimits(Optional<Concurrency> maxConcurrent, OptionalDouble ratePerSecond,
        Optional<BreakerSpec> circuitBreaker, boolean holdWhilePending) {
    /// Nothing is limited.
    public static final ToolLimits NONE = new ToolLimits(Optional.empty(), OptionalDouble.empty(), Optional.empty(),
            false);

    /// Checks that the rate is positive.
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
