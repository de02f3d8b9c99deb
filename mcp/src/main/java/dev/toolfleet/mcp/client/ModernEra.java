package dev.toolfleet.mcp.client;

import java.time.Duration;
import java.util.Optional;

import dev.toolfleet.mcp.protocol.Meta;
import dev.toolfleet.mcp.protocol.Methods;
import dev.toolfleet.mcp.protocol.Revision;
import dev.toolfleet.mcp.protocol.TaskSnapshot;
import dev.toolfleet.mcp.rpc.McpJson;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/// Revision 2026-07-28: each request carries version, name and capabilities of the client.
final class ModernEra implements Era {
    private final Peer peer;
    private final ClientSettings settings;
    private final ServerListener listener;
    private final ServerDescription server;
    private @Nullable ChangeStream changes;

    ModernEra(Peer peer, ClientSettings settings, ServerListener listener, ObjectNode discovered) {
        this.peer = peer;
        this.settings = settings;
        this.listener = listener;
        this.server = new ServerDescription(Revision.V2026_07_28,
                dev.toolfleet.mcp.protocol.PeerInfo.of(discovered.path(Meta.FIELD).path(Meta.SERVER_INFO)),
                discovered.path("capabilities").isObject()
                        ? (ObjectNode) discovered.path("capabilities")
                        : McpJson.object(),
                discovered.path("instructions").stringValue(""));
    }

    /// Returns the parameters of `server/discover`.
    static ObjectNode discovery(ClientSettings settings) {
        return carried(McpJson.object(), settings, false);
    }

    private static ObjectNode carried(ObjectNode params, ClientSettings settings, boolean task) {
        ObjectNode capabilities = McpJson.object();
        if (settings.elicitation())
            capabilities.set("elicitation", McpJson.object().set("form", McpJson.object()));
        if (task)
            capabilities.set("extensions", McpJson.object().set(Meta.TASKS_EXTENSION, McpJson.object()));
        ObjectNode meta = params.withObject("/" + Meta.FIELD);
        meta.put(Meta.VERSION, Revision.V2026_07_28.text());
        meta.set(Meta.CLIENT_INFO, settings.info().json());
        meta.set(Meta.CLIENT_CAPABILITIES, capabilities);
        return params;
    }

    @Override
    public ServerDescription server() {
        return server;
    }

    @Override
    public ObjectNode params(ObjectNode params) {
        return carried(params, settings, false);
    }

    @Override
    public ObjectNode callParams(ObjectNode params, boolean task) {
        return carried(params, settings, task && server.hasTasks());
    }

    @Override
    public Optional<TaskSnapshot> task(ObjectNode result) {
        return result.path("resultType").stringValue("").equals("task") ? TaskSnapshot.of(result) : Optional.empty();
    }

    @Override
    public TaskSnapshot readTask(String taskId, Duration timeout) throws McpException, InterruptedException {
        ObjectNode result = peer.request(Methods.GET_TASK, taskParams(taskId), timeout);
        return TaskSnapshot.of(result).orElseThrow(
                () -> new McpException(Methods.GET_TASK + ": the answer is no task", null));
    }

    @Override
    public void updateTask(String taskId, ObjectNode answers, Duration timeout)
            throws McpException, InterruptedException {
        ObjectNode params = taskParams(taskId);
        params.set("inputResponses", answers);
        peer.request(Methods.UPDATE_TASK, params, timeout);
    }

    @Override
    public void cancelTask(String taskId, Duration timeout) throws McpException, InterruptedException {
        peer.request(Methods.CANCEL_TASK, taskParams(taskId), timeout);
    }

    private ObjectNode taskParams(String taskId) {
        return carried(McpJson.object().put("taskId", taskId), settings, true);
    }

    @Override
    public void listen() {
        if (server.reportsToolChanges() && changes == null)
            changes = ChangeStream.start(peer, this, listener);
    }

    @Override
    public void stop() {
        ChangeStream running = changes;
        if (running != null)
            running.stop();
    }
}
