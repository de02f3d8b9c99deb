package dev.toolfleet.wire;

import org.jspecify.annotations.Nullable;

/// Progress of work.
///
/// @param percent 0 to 100
/// @param message for people
public record Progress(@Nullable Double percent, @Nullable String message) {}
