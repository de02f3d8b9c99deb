package dev.toolfleet.mcp.transport;

/// Message on its way.
public interface Dispatch {
    /// Keeps a message back. Returns true if it had not left, and then never leaves; false if it has left, perhaps in
    /// part.
    boolean withdraw();

    /// Gives up the answer, and closes the stream for it if there is one of its own.
    void abandon();
}
