package dev.toolfleet.wire;

/// Durations of a call, in milliseconds.
///
/// @param queuedMs from the call's append on the broker to its start on a worker
/// @param handlerMs in the handler
/// @param totalMs from the call's append on the broker until the result was ready to publish
public record Timing(long queuedMs, long handlerMs, long totalMs) {}
