package dev.toolfleet.bench.compare;

import java.time.Duration;
import java.util.List;

/// Options of a comparison under a steady rate.
///
/// @param arms what takes part
/// @param loads each is measured with each arm
/// @param rounds how often
/// @param schedule when calls are sent
/// @param engines how they are set up
public record RateOptions(List<Arm> arms, List<CallLoad> loads, int rounds, Schedule schedule, EngineOptions engines) {
    /// Checks the values.
    ///
    /// @throws IllegalArgumentException naming one
    public RateOptions {
        arms = arms.stream().distinct().toList();
        loads = List.copyOf(loads);
        if (rounds < 1 || rounds > 100)
            throw new IllegalArgumentException("rounds is " + rounds + "; it must be 1 to 100");
    }

    /// Schedule of calls: evenly, independent of the engine.
    ///
    /// @param perSecond how many
    /// @param warmUp time at the start in which they do not count
    /// @param measured time after it in which they count
    public record Schedule(int perSecond, Duration warmUp, Duration measured) {
        /// Checks the values.
        public Schedule {
            if (perSecond < 1 || perSecond > 100_000)
                throw new IllegalArgumentException("rate is " + perSecond + "; it must be 1 to 100000 calls a second");
            if (warmUp.isNegative() || warmUp.toHours() >= 1)
                throw new IllegalArgumentException("warm-up is " + warmUp + "; it must be less than an hour");
            if (measured.toSeconds() < 1 || measured.toHours() >= 1)
                throw new IllegalArgumentException("seconds is " + measured.toSeconds() + "; it must be 1 to 3599");
        }

        int all() {
            return first() + (int) (perSecond * measured.toMillis() / 1_000);
        }

        /// The first call that counts.
        int first() {
            return (int) (perSecond * warmUp.toMillis() / 1_000);
        }

        /// Time at which a call is due, from the start of sending.
        long dueNanos(int number) {
            return (long) (number * 1e9 / perSecond);
        }
    }
}
