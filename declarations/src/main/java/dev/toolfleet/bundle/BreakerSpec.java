package dev.toolfleet.bundle;

import java.time.Duration;
import java.util.Set;

/// Circuit breaker of a tool that keeps failing.
///
/// @param failureRate in percent: the share of failures among the last calls that opens the breaker
/// @param window the number of those calls; the breaker stays closed until that many were counted
/// @param openFor the time during which every call is rejected, before one trial call
/// @param ignore error codes that do not count against the tool, because the caller was at fault
public record BreakerSpec(double failureRate, int window, Duration openFor, Set<String> ignore) {
    /// The meaning of `circuitBreaker: true`.
    public static final BreakerSpec DEFAULT = new BreakerSpec(50, 10, Duration.ofSeconds(30), Set.of());
    /// The largest window.
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
