package dev.toolfleet.mcp.client;

/// Listener to a server. Its methods must return at once: the connection reads nothing meanwhile.
public interface ServerListener {
    /// A listener that ignores everything.
    ServerListener NONE = new ServerListener() {
        @Override
        public void toolsChanged() {
            // Ignored.
        }

        @Override
        public void closed(String reason) {
            // Ignored.
        }
    };

    /// Learns that the list of tools has changed or may have changed.
    void toolsChanged();

    /// Learns that the connection has ended other than by [McpClient#close], and why.
    void closed(String reason);
}
