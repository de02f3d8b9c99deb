package dev.toolfleet.mcp.rpc;

/// Limits of a message.
///
/// @param maxBytes the largest message
/// @param maxDepth the deepest nesting of its JSON
public record RpcLimits(int maxBytes, int maxDepth) {
    /// Sixteen megabytes, a hundred levels.
    public static final RpcLimits DEFAULT = new RpcLimits(16 * 1024 * 1024, 100);

    /// Checks the limits.
    public RpcLimits {
        if (maxBytes < 1_024)
            throw new IllegalArgumentException("maxBytes is " + maxBytes + ": at least 1024 are needed");
        if (maxDepth < 10)
            throw new IllegalArgumentException("maxDepth is " + maxDepth + ": at least 10 are needed");
    }
}
