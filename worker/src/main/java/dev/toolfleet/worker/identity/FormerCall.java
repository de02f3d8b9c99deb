package dev.toolfleet.worker.identity;

import java.time.Duration;

import dev.toolfleet.wire.CallIntent;

/// A call that an earlier owner of a partition began, and whose record went with a former log of the partition.
///
/// @param left the longest time that it may still run
public record FormerCall(CallIntent intent, Duration left) {}
