package dev.toolfleet.bench.verdict;

import java.time.Instant;

/// An intent as `tool.journal` had it: this worker was about to start the call.
///
/// @param deaths of workers that may have had the call before, as this worker noted them
public record IntentFact(String callId, String worker, Instant at, int deaths) {}
