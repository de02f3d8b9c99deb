package dev.toolfleet.bundle;

import java.time.Duration;
import java.util.Optional;

/// Polling of a module for the outcome of work that cannot report it ([dev.toolfleet.tool.ToolModule#poll]).
///
/// @param interval until the first poll, and between the first two
/// @param factor the growth of the interval with each poll that finds nothing new
/// @param maxInterval the longest interval
public record PollSpec(Duration interval, double factor, Duration maxInterval) {
    /// The default interval.
    public static final Duration DEFAULT_INTERVAL = Duration.ofSeconds(10);
    private static final double DEFAULT_FACTOR = 1.5;
    private static final int DEFAULT_GROWTH = 10;

    /// Checks that the polls have a pause, and never get quicker.
    public PollSpec {
        if (!interval.isPositive() || maxInterval.compareTo(interval) < 0 || !(factor >= 1 && factor <= 100))
            throw new IllegalArgumentException("poll: interval must be positive, maxInterval at least the interval, and"
                    + " factor from 1 to 100; they are " + interval + ", " + maxInterval + " and " + factor);
    }

    static PollSpec of(ResourceJson json) {
        Duration interval = json.get("interval").duration().orElse(DEFAULT_INTERVAL);
        double factor = json.get("factor").number(DEFAULT_FACTOR);
        Optional<Duration> maxInterval = json.get("maxInterval").duration();
        try {
            return new PollSpec(interval, factor, maxInterval.orElseGet(() -> interval.multipliedBy(DEFAULT_GROWTH)));
        } catch (IllegalArgumentException | ArithmeticException e) {
            throw json.wrong("an interval, a maxInterval not below it, and a factor from 1 to 100");
        }
    }

    /// Returns the wait before the next poll.
    ///
    /// @param asked number of polls that found nothing new, from 0
    public Duration after(int asked) {
        double millis = interval.toMillis() * Math.pow(factor, Math.min(asked, 1_000));
        return millis >= maxInterval.toMillis() ? maxInterval : Duration.ofMillis((long) millis);
    }
}
