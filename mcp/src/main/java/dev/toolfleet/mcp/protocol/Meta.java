package dev.toolfleet.mcp.protocol;

/// Keys of `_meta`, names of headers and of extensions.
public final class Meta {
    /// Field of parameters and results.
    public static final String FIELD = "_meta";
    /// Version of a modern request.
    public static final String VERSION = "io.modelcontextprotocol/protocolVersion";
    /// Name and version of the client of a modern request.
    public static final String CLIENT_INFO = "io.modelcontextprotocol/clientInfo";
    /// Capabilities of the client of a modern request.
    public static final String CLIENT_CAPABILITIES = "io.modelcontextprotocol/clientCapabilities";
    /// Name and version of the server of a modern result.
    public static final String SERVER_INFO = "io.modelcontextprotocol/serverInfo";
    /// Id of the request that opened a subscription.
    public static final String SUBSCRIPTION = "io.modelcontextprotocol/subscriptionId";
    /// Task that a result belongs to (2025-11-25).
    public static final String RELATED_TASK = "io.modelcontextprotocol/related-task";
    /// Token of the caller for progress.
    public static final String PROGRESS_TOKEN = "progressToken";

    /// Identifier of the extension for tasks.
    public static final String TASKS_EXTENSION = "io.modelcontextprotocol/tasks";

    /// Header of the version.
    public static final String VERSION_HEADER = "MCP-Protocol-Version";
    /// Header of the method.
    public static final String METHOD_HEADER = "Mcp-Method";
    /// Header of the tool or task.
    public static final String NAME_HEADER = "Mcp-Name";
    /// Beginning of the headers that repeat arguments.
    public static final String PARAMETER_HEADER = "Mcp-Param-";
    /// Header of the session (legacy).
    public static final String SESSION_HEADER = "Mcp-Session-Id";

    private Meta() {}
}
