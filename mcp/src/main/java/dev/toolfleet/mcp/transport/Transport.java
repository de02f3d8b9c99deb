package dev.toolfleet.mcp.transport;

import java.util.Map;

import dev.toolfleet.mcp.protocol.Revision;
import dev.toolfleet.mcp.rpc.RpcMessage;

/// Way of a client's messages to one server, and of the server's messages back.
///
/// **Contract.** A request ends with exactly one of these, unless it was withdrawn or abandoned: its answer, or
/// [Receiver#unanswered], or [Receiver#closed] for all. No message is ever sent twice.
///
/// **Threads.** All methods return at once; the receiver is called by threads of the transport.
public interface Transport extends AutoCloseable {
    /// Begins to deliver.
    void open(Receiver receiver);

    /// Sends a message.
    ///
    /// @param headers headers of its own, for transports that have some
    Dispatch send(RpcMessage message, Map<String, String> headers);

    /// True if each request has a stream of its own whose end cancels it.
    boolean cancelsByClose();

    /// Learns the revision that the rest of the conversation uses.
    default void agreed(Revision revision) {}

    /// Opens the stream for messages that belong to no request, if the transport has one of its own.
    default void listen() {}

    /// Ends everything. The receiver is not called for it.
    @Override
    void close();
}
