package dev.toolfleet.worker.identity;

/// Answer to a call, with the place of its latest result.
///
/// @param fingerprint of name and arguments
/// @param resultOffset of the result on `tool.result`, in the call's partition
/// @param answeredAt when the result was appended, in epoch milliseconds
public record EarlierAnswer(Digest128 fingerprint, long resultOffset, long answeredAt) {}
