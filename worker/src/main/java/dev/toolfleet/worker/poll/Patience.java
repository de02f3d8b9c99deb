package dev.toolfleet.worker.poll;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;

import org.apache.kafka.common.errors.TimeoutException;

/// The time for which an answer is waited for: doubles with each miss up to a bound, and halves with each answer.
/// Thread-safe.
///
/// **Why.** With a fixed time, a broker that needs longer is asked again and again, gets more work by that, and never
/// answers in time.
public final class Patience {
    private final Duration first;
    private final Duration longest;
    private final AtomicReference<Duration> now;

    /// Up to ten seconds.
    ///
    /// @param first the shortest
    public static Patience from(Duration first) {
        return new Patience(first, Duration.ofSeconds(10));
    }

    /// @param first the shortest
    /// @param longest the bound
    Patience(Duration first, Duration longest) {
        this.first = first;
        this.longest = longest;
        this.now = new AtomicReference<>(first);
    }

    /// Asks a question with a time limit.
    ///
    /// @throws TimeoutException when the answer did not come in time; the next question waits longer
    <T> T during(Function<Duration, T> question) {
        Duration atMost = now.get();
        try {
            T answer = question.apply(atMost);
            // Several may ask with the same limit: they change it once.
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
