package dev.toolfleet.mcp.server;

import dev.toolfleet.mcp.protocol.Meta;
import dev.toolfleet.mcp.rpc.McpJson;
import dev.toolfleet.mcp.rpc.RpcError;
import tools.jackson.databind.node.ObjectNode;

/// Thrown for a request that ends with an error of the protocol. What a model can mend is no such error but a
/// [dev.toolfleet.mcp.protocol.McpReply] with `isError`.
public final class RpcException extends Exception {
    private final transient RpcError error;

    /// An exception for that error.
    public RpcException(RpcError error) {
        super(error.message());
        this.error = error;
    }

    /// An exception for parameters that do not fit, or name something that does not exist.
    public static RpcException invalid(String message) {
        return new RpcException(new RpcError(RpcError.INVALID_PARAMS, message));
    }

    /// An exception for a method that is unknown.
    public static RpcException unknownMethod(String method) {
        return new RpcException(new RpcError(RpcError.METHOD_NOT_FOUND, "Method not found: " + method));
    }

    /// An exception for a capability that the client did not declare.
    public static RpcException missing(ObjectNode capabilities) {
        ObjectNode data = McpJson.object();
        data.set("requiredCapabilities", capabilities);
        return new RpcException(new RpcError(RpcError.MISSING_CAPABILITY,
                "The request needs a capability that the client did not declare: " + capabilities, data));
    }

    /// An exception for a client that did not declare the extension for tasks.
    public static RpcException missingTasks() {
        ObjectNode extensions = McpJson.object();
        extensions.set(Meta.TASKS_EXTENSION, McpJson.object());
        ObjectNode capabilities = McpJson.object();
        capabilities.set("extensions", extensions);
        return missing(capabilities);
    }

    /// Returns the error.
    public RpcError error() {
        return error;
    }
}
