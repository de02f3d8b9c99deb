package dev.toolfleet.gateway.calls;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;

/// Times of the attempts to deliver one result.
///
/// **Contract.** Each wait is drawn evenly from 80 % to 100 % of its nominal length. An attempt that fails behind
/// [#window] after the first is the last one, also when attempts came late. Otherwise: a backlog of a receiver that is
/// down lives for weeks.
///
/// @param waits nominal lengths of the waits between attempts
/// @param window the time from the first attempt after which no other is planned
public record DeliverySchedule(List<Duration> waits, Duration window) {
    /// Eleven attempts within 24 hours.
    public static final DeliverySchedule DAY = new DeliverySchedule(List.of(Duration.ofSeconds(5),
            Duration.ofSeconds(30), Duration.ofMinutes(2), Duration.ofMinutes(10), Duration.ofMinutes(30),
            Duration.ofHours(1), Duration.ofHours(2), Duration.ofHours(4), Duration.ofHours(6), Duration.ofHours(10)),
            Duration.ofHours(24));
    /// The share of a wait that chance decides. Otherwise: receivers that return get all retries at once.
    private static final double JITTER = 0.2;

    /// Copies the waits.
    public DeliverySchedule {
        waits = List.copyOf(waits);
    }

    /// Returns the wait before the next attempt; empty when there is none.
    ///
    /// @param failed the number of attempts that failed, at least 1
    /// @param since the time since the first attempt was due
    public Optional<Duration> after(int failed, Duration since, RandomGenerator random) {
        if (failed > waits.size() || since.compareTo(window) >= 0)
            return Optional.empty();
        double share = 1 - JITTER * random.nextDouble();
        return Optional.of(Duration.ofMillis(Math.round(waits.get(failed - 1).toMillis() * share)));
    }
}
