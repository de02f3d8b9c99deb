package dev.toolfleet.worker.completion;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;

/// Something that happens to a handle at a time unless something else happens before.
///
/// @param atMillis when, in epoch milliseconds
/// @param what it is
record Due(long atMillis, What what) {
    /// Where deadlines lie that no clock reaches; a thousand years away, so that adding to it is safe.
    private static final Instant NEVER = Instant.EPOCH.plusSeconds(100_000_000_000L);

    /// What happens. The order is part of stored keys: new ones come last.
    enum What {
        /// The call expires.
        DEADLINE,
        /// The call expires if its work was silent.
        HEARTBEAT,
        /// The module is asked how the work goes.
        QUESTION,
        /// The module is told that nobody wants the work any more.
        TELL,
        /// What is remembered of the handle is forgotten.
        FORGET
    }

    static Due at(Instant at, What what) {
        return new Due(millis(at), what);
    }

    /// Whether its time has come.
    boolean isReached(Instant now) {
        return atMillis <= millis(now);
    }

    /// Epoch milliseconds of any instant, also of those that callers invent.
    static long millis(Instant at) {
        if (at.isAfter(NEVER))
            return NEVER.toEpochMilli();
        return at.isBefore(Instant.EPOCH) ? 0 : at.toEpochMilli();
    }

    /// Later by any duration, also by those that tools invent.
    static Instant later(Instant from, Duration by) {
        try {
            Instant sum = from.plus(by);
            return sum.isAfter(NEVER) ? NEVER : sum;
        } catch (DateTimeException | ArithmeticException e) {
            return NEVER;
        }
    }
}
