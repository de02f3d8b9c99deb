package dev.toolfleet.mcp.server;

import dev.toolfleet.mcp.protocol.Meta;
import dev.toolfleet.mcp.protocol.Methods;
import dev.toolfleet.mcp.protocol.TaskSnapshot;
import dev.toolfleet.mcp.rpc.McpJson;
import dev.toolfleet.mcp.rpc.RpcId;
import dev.toolfleet.mcp.rpc.RpcMessage;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/// Changes on their way to one stream. Those that the client has not taken yet are merged.
///
/// @param subscription the id of the modern request that opened the stream; null for a legacy stream
record BoxedChanges(MessageBox box, @Nullable RpcId subscription) implements ChangeSink {
    /// Puts the first message of a modern stream.
    void acknowledge(ListenFilter filter) {
        if (subscription == null)
            return;
        ObjectNode params = McpJson.object();
        params.set("notifications", filter.json());
        put(Methods.LISTENING, Methods.LISTENING, params);
    }

    @Override
    public void toolsChanged() {
        put(Methods.TOOLS_CHANGED, Methods.TOOLS_CHANGED, McpJson.object());
    }

    @Override
    public void taskChanged(TaskSnapshot task) {
        put(Methods.TASK_CHANGED + " " + task.taskId(), Methods.TASK_CHANGED, task.json(true));
    }

    private void put(String key, String method, ObjectNode params) {
        RpcId id = subscription;
        if (id != null)
            params.withObject("/" + Meta.FIELD).set(Meta.SUBSCRIPTION, id.json());
        box.put(key, new RpcMessage.Notification(method, params));
    }
}
