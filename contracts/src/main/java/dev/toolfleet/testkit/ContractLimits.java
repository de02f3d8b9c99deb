package dev.toolfleet.testkit;

import java.time.Duration;

/// The numbers of a contract.
///
/// @param maxResultBytes how large an answer may be as JSON
/// @param success how long an input that is not slow may take
/// @param untilInterrupt how long a slow input runs before it is interrupted or its deadline comes
/// @param grace how long a handler may go on after an interrupt
/// @param settle how long threads and processes may take to go after the module was closed
record ContractLimits(int maxResultBytes, Duration success, Duration untilInterrupt, Duration grace, Duration settle) {
    static final ContractLimits DEFAULT = new ContractLimits(1 << 20, Duration.ofSeconds(10), Duration.ofMillis(300),
            Duration.ofSeconds(2), Duration.ofSeconds(2));

    ContractLimits withMaxResultBytes(int bytes) {
        return new ContractLimits(bytes, success, untilInterrupt, grace, settle);
    }

    ContractLimits withGrace(Duration time) {
        return new ContractLimits(maxResultBytes, success, untilInterrupt, time, settle);
    }
}
