package dev.toolfleet.worker.bridge;

/// Keys of log lines about MCP servers, beside those of the worker.
final class BridgeLogKeys {
    /// The server's name.
    static final String SERVER = "mcpServer";

    private BridgeLogKeys() {}
}
