package dev.toolfleet.gateway.topology;

import java.time.Duration;

/// Bound of one search among the heads of calls. A search looks at [#CHECK_EVERY] heads at least, so that each one makes
/// headway.
///
/// @param heads the number of heads after which it stops
/// @param time the time after which it stops
public record ScanBudget(int heads, Duration time) {
    /// The number of heads between two looks at the clock.
    static final int CHECK_EVERY = 256;

    static boolean isCheck(int heads) {
        return heads > 0 && heads % CHECK_EVERY == 0;
    }
}
