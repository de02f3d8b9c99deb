package dev.toolfleet.bench.verdict;

/// A promise that was broken.
///
/// @param subject the call or the instance
/// @param what what was seen, with offsets and times
public record Violation(Promise promise, String subject, String what) {}
