package dev.toolfleet.worker.poll;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;

import org.apache.kafka.common.errors.TimeoutException;

/// Timeout of a request that adapts: it doubles with each miss up to a bound, and halves with each answer. Thread-safe.
///
/// **Why.** Otherwise: a broker that needs longer than a fixed timeout gets the same request again and again, has more
/// work by that, and never answers in time.
public final class AdaptiveTimeout {
    private final Duration first;
    private final Duration longest;
    private final AtomicReference<Duration> now;

    /// Creates a patience of up to ten seconds.
    ///
    /// @param first the shortest
    public static AdaptiveTimeout from(Duration first) {
        return new AdaptiveTimeout(first, Duration.ofSeconds(10));
    }

    /// @param first the shortest
    /// @param longest the bound
    AdaptiveTimeout(Duration first, Duration longest) {
        this.first = first;
        this.longest = longest;
        this.now = new AtomicReference<>(first);
    }

    /// Makes a request with the present timeout.
    ///
    /// @throws TimeoutException if the answer did not come in time; the next request waits longer
    <T> T during(Function<Duration, T> question) {
        Duration atMost = now.get();
        try {
            T answer = question.apply(atMost);
            // Several threads may use the same timeout: they change it once.
            now.compareAndSet(atMost, max(first, atMost.dividedBy(2)));
            return answer;
        } catch (TimeoutException e) {
            Duration longer = atMost.multipliedBy(2);
            now.compareAndSet(atMost, longer.compareTo(longest) < 0 ? longer : longest);
            throw e;
        }
    }

    private static Duration max(Duration one, Duration other) {
        return one.compareTo(other) > 0 ? one : other;
    }
}
