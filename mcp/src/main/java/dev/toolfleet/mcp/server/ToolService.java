package dev.toolfleet.mcp.server;

import java.time.Duration;
import java.util.Optional;

import dev.toolfleet.mcp.protocol.TaskSnapshot;
import dev.toolfleet.mcp.protocol.ToolDefinition;
import dev.toolfleet.mcp.rpc.RpcId;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/// Tools that a server offers.
///
/// **Threads.** Methods are called by the virtual thread of their request and may wait.
///
/// @param <C> the type of callers
public interface ToolService<C> {
    /// Returns the principal of a caller, to which sessions are bound.
    String principal(C caller);

    /// Admits a request, before any work for it. What it throws ends the request of the transport.
    ///
    /// @param method the method of the request
    default void admit(C caller, String method) {}

    /// Returns advice for models; empty for none.
    String instructions(C caller);

    /// Returns the instance of a new session's calls.
    ///
    /// @param session the random name of the session
    default String sessionInstance(C caller, String session) {
        return session;
    }

    /// Returns a page of the list. It must not depend on the connection or on what the client called before.
    ///
    /// @param cursor where the page begins; null for the first one
    /// @throws RpcException for a cursor that does not fit (any more)
    ToolPage list(ServerContext<C> context, @Nullable String cursor) throws RpcException, InterruptedException;

    /// Returns a tool of the list.
    Optional<ToolDefinition> find(ServerContext<C> context, String name)
            throws RpcException, InterruptedException;

    /// Calls a tool.
    ///
    /// @throws RpcException for an unknown tool ([RpcException#invalid]) and for machinery that fails
    ToolAnswer call(ServerContext<C> context, ToolInvocation call, CallControl control)
            throws RpcException, InterruptedException;

    /// Learns that a legacy client has cancelled a request that is not at work here: another replica may have it.
    default void cancelled(ServerContext<C> context, RpcId request, String reason) {}

    /// Returns a task.
    ///
    /// @param wait the time for which its end is awaited; zero returns at once
    /// @throws RpcException for a task that does not exist, or not for this caller ([RpcException#invalid])
    TaskSnapshot task(ServerContext<C> context, String taskId, Duration wait)
            throws RpcException, InterruptedException;

    /// Takes answers to questions of a task, and ignores those to questions that are not open.
    void updateTask(ServerContext<C> context, String taskId, ObjectNode answers)
            throws RpcException, InterruptedException;

    /// Takes the wish to end a task.
    void cancelTask(ServerContext<C> context, String taskId) throws RpcException, InterruptedException;

    /// Begins to report changes.
    ///
    /// @return ends it
    Runnable listen(ServerContext<C> context, ListenFilter filter, ChangeSink sink) throws RpcException;

    /// Learns that a method failed with an exception that is a bug, and that its client got error -32603.
    default void failed(String method, RuntimeException bug) {}
}
