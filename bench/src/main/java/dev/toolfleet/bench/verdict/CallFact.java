package dev.toolfleet.bench.verdict;

import java.time.Duration;
import java.time.Instant;

import dev.toolfleet.bench.load.Kind;

/// A call as `tool.call` has it.
///
/// @param id names it; no other call of the run has it
/// @param takes how long its handler is busy
/// @param offset of its first record: its place among the calls of its instance
/// @param sentAt when its first record was appended
/// @param records how many times it was written
public record CallFact(String id, String instance, Kind kind, Duration takes, int partition, long offset,
        Instant sentAt, int records) {}
