package dev.toolfleet.wire;

/// What the result guard did to a result.
///
/// @param truncated whether text was cut
/// @param redacted whether text was replaced
/// @param originalSize characters of the JSON before
/// @param guardedSize characters of the JSON after
public record GuardFacts(boolean truncated, boolean redacted, long originalSize, long guardedSize) {}
