package dev.toolfleet.client;

import dev.toolfleet.identity.CallIdentity;

/// Place of a call on `tool.call`.
///
/// @param identity for awaiting its results after a restart
/// @param partition its partition, and that of its results on `tool.result`
/// @param offset its offset, the `callOffset` of its results
public record SentCall(CallIdentity identity, int partition, long offset) {}
