package dev.toolfleet.cli.explain;

import java.time.Instant;

import dev.toolfleet.gateway.calls.CallId;
import dev.toolfleet.identity.CallIdentity;
import dev.toolfleet.wire.ToolCall;

/// A call as a record of `tool.call`.
///
/// @param call without arguments
/// @param at when it was written
record RecordedCall(int partition, long offset, ToolCall call, Instant at) {
    String identity() {
        return CallIdentity.of(call, partition, offset).text();
    }

    boolean isAt(int otherPartition, long otherOffset) {
        return partition == otherPartition && offset == otherOffset;
    }

    /// Its path at every gateway.
    String gatewayPath() {
        return "/v1/calls/" + new CallId(partition, offset);
    }

    /// As `--record` takes it.
    String place() {
        return partition + "/" + offset;
    }
}
