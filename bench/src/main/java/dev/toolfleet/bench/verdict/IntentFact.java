package dev.toolfleet.bench.verdict;

import java.time.Instant;

/// An intent as `tool.journal` had it: this worker was about to start the call, or took it over.
///
/// @param deaths of workers that may have had the call before, as this worker noted them
/// @param repeatable true for a call that may run twice: such a note may be written before policy has ruled
public record IntentFact(String callId, String worker, Instant at, int deaths, boolean repeatable) {}
