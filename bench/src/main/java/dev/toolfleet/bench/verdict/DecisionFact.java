package dev.toolfleet.bench.verdict;

import java.time.Instant;

/// A person's decision about a call.
///
/// @param at before it was written
public record DecisionFact(String callId, boolean approved, Instant at) {}
