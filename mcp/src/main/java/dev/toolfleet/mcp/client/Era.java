package dev.toolfleet.mcp.client;

import java.time.Duration;
import java.util.Optional;

import dev.toolfleet.mcp.protocol.TaskSnapshot;
import tools.jackson.databind.node.ObjectNode;

/// Differences between the eras of the protocol, as a client sees them.
interface Era {
    /// Returns the server's description of itself.
    ServerDescription server();

    /// Adds what each request carries.
    ///
    /// @return the same parameters
    ObjectNode params(ObjectNode params);

    /// Adds what a tool's call carries.
    ///
    /// @param task true if a task may answer
    /// @return the same parameters
    ObjectNode callParams(ObjectNode params, boolean task);

    /// Returns the task with which a call was answered; nothing for a result.
    Optional<TaskSnapshot> task(ObjectNode result);

    /// Reads a task, with its result if it has ended.
    TaskSnapshot readTask(String taskId, Duration timeout) throws McpException, InterruptedException;

    /// Answers questions of a task.
    void updateTask(String taskId, ObjectNode answers, Duration timeout) throws McpException, InterruptedException;

    /// Wishes the end of a task.
    void cancelTask(String taskId, Duration timeout) throws McpException, InterruptedException;

    /// Begins to listen to changes of the list of tools.
    void listen();

    /// Ends that.
    void stop();
}
