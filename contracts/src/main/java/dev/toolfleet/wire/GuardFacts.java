package dev.toolfleet.wire;

/// Changes of a result by the result guard.
///
/// @param truncated true if text was cut
/// @param redacted true if text was replaced
/// @param originalSize characters of the JSON before
/// @param guardedSize characters of the JSON after
public record GuardFacts(boolean truncated, boolean redacted, long originalSize, long guardedSize) {}
