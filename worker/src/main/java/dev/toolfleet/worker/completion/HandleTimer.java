package dev.toolfleet.worker.completion;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;

/// Timer of a handle. It has an effect unless another event comes before.
///
/// @param atMillis its time, in epoch milliseconds
/// @param what its effect
record HandleTimer(long atMillis, Effect what) {
    /// Time of deadlines that no clock reaches; a thousand years away, so that additions to it are safe.
    private static final Instant NEVER = Instant.EPOCH.plusSeconds(100_000_000_000L);

    /// Effect of a timer. The order is part of stored keys: new ones come last.
    enum Effect {
        /// The call expires.
        DEADLINE,
        /// The call expires if its work was silent for its heartbeat timeout.
        HEARTBEAT,
        /// The module is asked about the progress of the work.
        QUESTION,
        /// The module is informed that the work is no longer needed.
        TELL,
        /// The state of the handle is removed.
        FORGET
    }

    static HandleTimer at(Instant at, Effect what) {
        return new HandleTimer(millis(at), what);
    }

    /// True if its time has come.
    boolean isReached(Instant now) {
        return atMillis <= millis(now);
    }

    /// Returns the epoch milliseconds of any instant, even of an absurd one.
    static long millis(Instant at) {
        if (at.isAfter(NEVER))
            return NEVER.toEpochMilli();
        return at.isBefore(Instant.EPOCH) ? 0 : at.toEpochMilli();
    }

    /// Adds any duration, even an absurd one.
    static Instant later(Instant from, Duration by) {
        try {
            Instant sum = from.plus(by);
            return sum.isAfter(NEVER) ? NEVER : sum;
        } catch (DateTimeException | ArithmeticException e) {
            return NEVER;
        }
    }
}
