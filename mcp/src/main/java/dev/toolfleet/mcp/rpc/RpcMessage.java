package dev.toolfleet.mcp.rpc;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/// Message of JSON-RPC 2.0. Batches are no messages: the last revision that had them is 2025-03-26, and no client sends
/// them.
public sealed interface RpcMessage {
    /// Request, which one answer follows.
    record Request(RpcId id, String method, ObjectNode params) implements RpcMessage {}

    /// Message without an answer.
    record Notification(String method, ObjectNode params) implements RpcMessage {}

    /// Answer of a request that went well.
    record Result(RpcId id, ObjectNode result) implements RpcMessage {}

    /// Answer of a request that failed.
    ///
    /// @param id null if the request could not be read
    record Failure(@Nullable RpcId id, RpcError error) implements RpcMessage {}
}
