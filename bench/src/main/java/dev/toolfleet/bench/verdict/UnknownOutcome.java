package dev.toolfleet.bench.verdict;

import java.time.Instant;

/// Call whose outcome is unknown to the fleet.
///
/// @param effects how often its effect began
/// @param from when its worker was about to start it, if that is known; else when it was sent
/// @param until when its result came
/// @param proven whether a fault between the two explains it
/// @param why the fault, or what is missing
public record UnknownOutcome(String callId, int partition, long offset, int effects, Instant from, Instant until,
        boolean proven, String why) {}
