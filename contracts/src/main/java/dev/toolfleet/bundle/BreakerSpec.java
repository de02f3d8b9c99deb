package dev.toolfleet.bundle;

import java.time.Duration;
import java.util.Set;

/// When a tool that keeps failing is given a rest.
///
/// @param failureRate in percent: so many of the last calls failed
/// @param window how many calls those are; before as many were counted, nothing happens
/// @param openFor how long nothing is let through before one call is tried
/// @param ignore error codes that say nothing about the tool's health, because the caller was at fault
public record BreakerSpec(double failureRate, int window, Duration openFor, Set<String> ignore) {
    /// What `circuitBreaker: true` means.
    public static final BreakerSpec DEFAULT = new BreakerSpec(50, 10, Duration.ofSeconds(30), Set.of());
    /// The most calls that are looked back on.
    public static final int LONGEST_WINDOW = 1_000;

    /// Copies the codes; checks the ranges.
    public BreakerSpec {
        ignore = Set.copyOf(ignore);
        if (!(failureRate > 0 && failureRate <= 100) || window < 1 || window > LONGEST_WINDOW
                || openFor.toMillis() < 1) {
            throw new IllegalArgumentException(
                    "circuitBreaker: failureRate must be above 0 and at most 100, window from"
                            + " 1 to " + LONGEST_WINDOW + ", openFor at least 1 ms; they are " + failureRate + ", "
                            + window
                            + " and " + openFor);
        }
    }

    static BreakerSpec of(ResourceJson json) {
        try {
            return new BreakerSpec(json.get("failureRate").number(DEFAULT.failureRate()),
                    json.get("window").positive(DEFAULT.window()),
                    json.get("openFor").duration().orElse(DEFAULT.openFor()),
                    Set.copyOf(json.get("ignore").list(ResourceJson::text)));
        } catch (IllegalArgumentException e) {
            throw json.wrong("a circuit breaker (" + e.getMessage() + ")");
        }
    }
}
