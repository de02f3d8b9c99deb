package dev.toolfleet.client;

import dev.toolfleet.identity.CallIdentity;

/// Where a call landed on `tool.call`.
///
/// @param identity by which its results are awaited after a restart
/// @param partition its partition, and that of its results on `tool.result`
/// @param offset its offset, the `callOffset` of its results
public record SentCall(CallIdentity identity, int partition, long offset) {}
