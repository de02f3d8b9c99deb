package dev.toolfleet.mcp.server;

import java.util.LinkedHashSet;
import java.util.Set;

import dev.toolfleet.mcp.rpc.McpJson;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Changes that a client listens to.
///
/// @param tools true for changes of the list of tools
/// @param taskIds the tasks whose states it wants
public record ListenFilter(boolean tools, Set<String> taskIds) {
    /// The largest number of tasks of one stream.
    static final int MOST_TASKS = 1_000;

    /// Copies the set.
    public ListenFilter {
        taskIds = Set.copyOf(taskIds);
    }

    /// Reads the wish of a client, as far as this server can fulfil it.
    static ListenFilter of(JsonNode wish, ServerSettings settings) throws RpcException {
        if (!wish.isObject())
            throw RpcException.invalid("The field notifications must be an object that names what to listen to.");
        Set<String> tasks = new LinkedHashSet<>();
        wish.path("taskIds").forEach(id -> tasks.add(id.asString("")));
        if (tasks.size() > MOST_TASKS)
            throw RpcException.invalid("A stream listens to at most " + MOST_TASKS + " tasks.");
        boolean tools = settings.reportsToolChanges() && wish.path("toolsListChanged").booleanValue(false);
        return new ListenFilter(tools, settings.hasTasks() ? tasks : Set.of());
    }

    boolean isEmpty() {
        return !tools && taskIds.isEmpty();
    }

    ObjectNode json() {
        ObjectNode json = McpJson.object();
        if (tools)
            json.put("toolsListChanged", true);
        if (!taskIds.isEmpty()) {
            ArrayNode ids = McpJson.array();
            taskIds.stream().sorted().forEach(ids::add);
            json.set("taskIds", ids);
        }
        return json;
    }
}
