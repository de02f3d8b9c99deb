package dev.toolfleet.mcp.client;

import java.time.Duration;
import java.util.Optional;

import dev.toolfleet.mcp.protocol.McpReply;
import dev.toolfleet.mcp.protocol.Methods;
import dev.toolfleet.mcp.protocol.PeerInfo;
import dev.toolfleet.mcp.protocol.Revision;
import dev.toolfleet.mcp.protocol.TaskSnapshot;
import dev.toolfleet.mcp.protocol.TaskStatus;
import dev.toolfleet.mcp.rpc.McpJson;
import dev.toolfleet.mcp.rpc.RpcError;
import tools.jackson.databind.node.ObjectNode;

/// Revisions up to 2025-11-25: `initialize` opens the conversation, and tasks are the experimental ones.
final class LegacyEra implements Era {
    private final Peer peer;
    private final ServerDescription server;

    private LegacyEra(Peer peer, ServerDescription server) {
        this.peer = peer;
        this.server = server;
    }

    /// Opens the conversation.
    static LegacyEra open(Peer peer, ClientSettings settings) throws McpException, InterruptedException {
        ObjectNode params = McpJson.object().put("protocolVersion", Revision.NEWEST_LEGACY.text());
        params.set("capabilities", McpJson.object());
        params.set("clientInfo", settings.info().json());
        ObjectNode result = peer.request(Methods.INITIALIZE, params, settings.requestTimeout());
        String chosen = result.path("protocolVersion").asString("");
        Revision revision = Revision.of(chosen).filter(found -> !found.isModern()).orElseThrow(() -> new McpException(
                "initialize: the server chose version '" + chosen + "', which is not one of those before 2026-07-28",
                null));
        peer.transport().agreed(revision);
        peer.notify(Methods.INITIALIZED, McpJson.object());
        return new LegacyEra(peer, new ServerDescription(revision, PeerInfo.of(result.path("serverInfo")),
                result.path("capabilities").isObject() ? (ObjectNode) result.path("capabilities") : McpJson.object(),
                result.path("instructions").stringValue("")));
    }

    @Override
    public ServerDescription server() {
        return server;
    }

    @Override
    public ObjectNode params(ObjectNode params) {
        return params;
    }

    @Override
    public ObjectNode callParams(ObjectNode params, boolean task) {
        if (task && server.hasTasks())
            params.set("task", McpJson.object());
        return params;
    }

    @Override
    public Optional<TaskSnapshot> task(ObjectNode result) {
        return TaskSnapshot.of(result.path("task"));
    }

    /// Reads the result too when there is one: a task of this generation does not hold it.
    @Override
    public TaskSnapshot readTask(String taskId, Duration timeout) throws McpException, InterruptedException {
        ObjectNode params = McpJson.object().put("taskId", taskId);
        TaskSnapshot task = TaskSnapshot.of(peer.request(Methods.GET_TASK, params, timeout)).orElseThrow(
                () -> new McpException(Methods.GET_TASK + ": the answer is no task", null));
        if (task.status() != TaskStatus.COMPLETED && task.status() != TaskStatus.FAILED)
            return task;
        try {
            ObjectNode result = peer.request(Methods.TASK_RESULT, params.deepCopy(), timeout);
            return task.with(new TaskSnapshot.Payload.Reply(McpReply.of(result)));
        } catch (McpException e) {
            RpcError error = e.error().orElseThrow(() -> e);
            return task.with(new TaskSnapshot.Payload.Failure(error));
        }
    }

    @Override
    public void updateTask(String taskId, ObjectNode answers, Duration timeout) throws McpException {
        throw new McpException(Methods.UPDATE_TASK + ": a server of " + server.revision().text()
                + " takes no answers to questions of task '" + taskId + "'", null);
    }

    @Override
    public void cancelTask(String taskId, Duration timeout) throws McpException, InterruptedException {
        peer.request(Methods.CANCEL_TASK, McpJson.object().put("taskId", taskId), timeout);
    }

    @Override
    public void listen() {
        if (server.reportsToolChanges())
            peer.transport().listen();
    }

    @Override
    public void stop() {
        // The stream ends with the transport.
    }
}
