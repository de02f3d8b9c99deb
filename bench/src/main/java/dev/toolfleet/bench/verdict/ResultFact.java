package dev.toolfleet.bench.verdict;

import java.time.Instant;
import java.util.Optional;

/// A final result as a `read_committed` reader of `tool.result` got it.
///
/// @param seenAt when the reader got it
/// @param error its code; empty for one that is ok
public record ResultFact(String callId, int partition, long offset, Instant seenAt, Optional<String> error,
        boolean replayed) {}
