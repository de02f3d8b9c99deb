package dev.toolfleet.bundle;

import java.time.Duration;
import java.util.Optional;

/// How a module is asked for the outcome of work that cannot report it ([dev.toolfleet.tool.ToolModule#poll]).
///
/// @param interval until the first question, and between the first two
/// @param factor by which the interval grows with each question that brings nothing new
/// @param maxInterval beyond which it does not grow
public record PollSpec(Duration interval, double factor, Duration maxInterval) {
    /// Between two questions unless declared.
    public static final Duration DEFAULT_INTERVAL = Duration.ofSeconds(10);
    private static final double DEFAULT_FACTOR = 1.5;
    private static final int DEFAULT_GROWTH = 10;

    /// Checks that the questions do not come without a pause, or ever quicker.
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

    /// How long to wait before the next question.
    ///
    /// @param asked how many brought nothing new, from 0
    public Duration after(int asked) {
        double millis = interval.toMillis() * Math.pow(factor, Math.min(asked, 1_000));
        return millis >= maxInterval.toMillis() ? maxInterval : Duration.ofMillis((long) millis);
    }
}
