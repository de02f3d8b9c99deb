package dev.toolfleet.hosts;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;

/// Rule that stops restarts of a process which ends again and again: after the third end within a minute it may not
/// start for 30 s. Pure but for its memory. Thread-safe.
final class RestartBreaker {
    /// The ends within [#WINDOW] that open the breaker.
    static final int MOST = 3;
    /// The time within which ends count together.
    static final Duration WINDOW = Duration.ofMinutes(1);
    /// The pause after the last of them.
    static final Duration PAUSE = Duration.ofSeconds(30);

    private final Deque<Long> ends = new ArrayDeque<>();
    private String reason = "";

    /// Counts an end.
    ///
    /// @param now nanoseconds that only grow
    synchronized void ended(long now, String why) {
        forget(now);
        ends.addLast(now);
        reason = why;
    }

    /// Returns the reason why no process may start now, the same until one may; empty if one may.
    synchronized Optional<String> refusal(long now) {
        forget(now);
        if (ends.size() < MOST)
            return Optional.empty();
        long left = PAUSE.toNanos() - (now - ends.getLast());
        return left <= 0
                ? Optional.empty()
                : Optional.of("its process ended " + ends.size() + " times within a minute, the last time because "
                        + reason + "; it is not started again before " + PAUSE.toSeconds() + " s are over");
    }

    private void forget(long now) {
        ends.removeIf(at -> now - at > WINDOW.toNanos());
    }
}
