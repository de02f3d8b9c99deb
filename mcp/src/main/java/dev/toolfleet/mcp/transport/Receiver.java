package dev.toolfleet.mcp.transport;

import dev.toolfleet.mcp.rpc.RpcId;
import dev.toolfleet.mcp.rpc.RpcMessage;

/// Receiver of messages of a server. Its methods are called by one thread per stream and must not wait.
public interface Receiver {
    /// Takes a message.
    void received(RpcMessage message);

    /// Learns that a request gets no answer.
    void unanswered(RpcId id, NoAnswer reason);

    /// Learns of bytes that are no message.
    void unreadable(String reason);

    /// Learns that the server is gone; nothing else follows.
    void closed(String reason);
}
