package dev.toolfleet.session.lock;

import java.time.Duration;
import java.util.List;

/// Times of a [FileSessionLocks] (seed 003, section 4.4).
///
/// @param timeout the longest wait for a lock; zero tries once
/// @param poll the pause between two looks at a held lock
/// @param lease the age of the last renewal from which a holder on another machine counts as lost
/// @param grace the age from which a lock file without a readable owner is removed
/// @param maxHold the longest time for which a run is expected to hold a lock
public record LockConfig(Duration timeout, Duration poll, Duration lease, Duration grace, Duration maxHold) {
    /// The seed's times: 5 s of waiting, 5 min of lease; a pause of 100 ms, a grace of 5 s and a hold of 5 s at most.
    public static final LockConfig DEFAULT = new LockConfig(Duration.ofSeconds(5), Duration.ofMillis(100),
            Duration.ofMinutes(5), Duration.ofSeconds(5), Duration.ofSeconds(5));

    /// Checks the times.
    ///
    /// @throws IllegalArgumentException naming the time and its value
    public LockConfig {
        if (timeout.isNegative())
            throw new IllegalArgumentException("timeout must be 0 or more, got " + timeout);
        for (Duration time : List.of(poll, lease, grace, maxHold)) {
            if (!time.isPositive())
                throw new IllegalArgumentException("poll, lease, grace and maxHold must be more than 0, got " + time);
        }
    }

    /// Returns the same times with another timeout.
    public LockConfig waiting(Duration otherTimeout) {
        return new LockConfig(otherTimeout, poll, lease, grace, maxHold);
    }

    /// Returns likely faults of these times, one sentence each, for the log at start.
    public List<String> warnings() {
        return timeout.compareTo(maxHold) >= 0
                ? List.of()
                : List.of("timeout (" + timeout + ") is less than maxHold ("
                        + maxHold + "): a run that waits for a long one gives up; raise timeout");
    }
}
