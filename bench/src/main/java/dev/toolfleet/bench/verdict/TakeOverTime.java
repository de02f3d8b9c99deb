package dev.toolfleet.bench.verdict;

import java.time.Duration;

/// Take-over of a partition by a worker.
///
/// @param took from the assignment until the calls are read
/// @param ready true if the worker had been ready before: its classes are loaded, and its connections stand
public record TakeOverTime(Duration took, boolean ready) {}
