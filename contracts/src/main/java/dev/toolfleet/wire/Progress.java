package dev.toolfleet.wire;

import org.jspecify.annotations.Nullable;

/// How far work is.
///
/// @param percent 0 to 100
/// @param message for people
public record Progress(@Nullable Double percent, @Nullable String message) {}
