package dev.toolfleet.bench.verdict;

import java.time.Instant;

/// A call whose outcome the fleet says it does not know.
///
/// @param effects how often its effect began
/// @param from when its worker was about to start it, as far as anything says so; else when it was sent
/// @param until when its result came
/// @param proven whether a fault between the two explains it
/// @param why the fault, or what is missing
public record Unknown(String callId, int partition, long offset, int effects, Instant from, Instant until,
        boolean proven, String why) {}
