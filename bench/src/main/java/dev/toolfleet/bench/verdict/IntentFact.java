package dev.toolfleet.bench.verdict;

import java.time.Instant;

/// An intent as `tool.journal` had it: this worker was about to start the call.
public record IntentFact(String callId, String worker, Instant at) {}
