package dev.toolfleet.testkit;

import java.time.Duration;

/// Limits of a contract.
///
/// @param maxResultBytes the largest answer as JSON
/// @param success the longest time of an input that is not slow
/// @param untilInterrupt the time after which a slow input is interrupted or its deadline comes
/// @param grace the longest time of a handler after an interrupt
/// @param settle the longest time until threads and processes end after the module was closed
record ContractLimits(int maxResultBytes, Duration success, Duration untilInterrupt, Duration grace, Duration settle) {
    static final ContractLimits DEFAULT = new ContractLimits(1 << 20, Duration.ofSeconds(10), Duration.ofMillis(300),
            Duration.ofSeconds(2), Duration.ofSeconds(2));

    ContractLimits withMaxResultBytes(int bytes) {
        return new ContractLimits(bytes, success, untilInterrupt, grace, settle);
    }

    ContractLimits withUntilInterrupt(Duration time) {
        return new ContractLimits(maxResultBytes, success, time, grace, settle);
    }

    ContractLimits withGrace(Duration time) {
        return new ContractLimits(maxResultBytes, success, untilInterrupt, time, settle);
    }
}
