package dev.toolfleet.mcp.client;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import dev.toolfleet.mcp.protocol.Methods;
import dev.toolfleet.mcp.protocol.ToolDefinition;
import dev.toolfleet.mcp.rpc.McpJson;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Reader of all pages of `tools/list`.
///
/// **Contract.** A server that never comes to an end is given up: after 10,000 tools, 1,000 pages, or at a cursor that
/// it gave before.
final class ToolPages {
    private static final int MOST_TOOLS = 10_000;
    private static final int MOST_PAGES = 1_000;
    private static final int LONGEST_NAME = 100;

    private final Peer peer;
    private final Era era;
    private final Duration timeout;
    private final List<ToolDefinition> tools = new ArrayList<>();
    private final List<ToolList.RejectedTool> rejected = new ArrayList<>();
    private final Set<String> names = new HashSet<>();
    private @Nullable Duration timeToLive;

    /// @param timeout the longest wait for a page
    ToolPages(Peer peer, Era era, Duration timeout) {
        this.peer = peer;
        this.era = era;
        this.timeout = timeout;
    }

    ToolList read() throws McpException, InterruptedException {
        Set<String> cursors = new HashSet<>();
        String cursor = null;
        for (int page = 0; page < MOST_PAGES; page++) {
            ObjectNode params = McpJson.object();
            if (cursor != null)
                params.put("cursor", cursor);
            ObjectNode result = peer.request(Methods.LIST_TOOLS, era.params(params), timeout);
            add(result);
            cursor = result.path("nextCursor").stringValue(null);
            if (cursor == null)
                return new ToolList(tools, rejected, timeToLive);
            if (!cursors.add(cursor))
                throw new McpException("tools/list: the server gave the same cursor twice", null);
        }
        throw new McpException("tools/list: the server has more than " + MOST_PAGES + " pages", null);
    }

    private void add(ObjectNode result) throws McpException {
        JsonNode list = result.path("tools");
        if (!list.isArray())
            throw new McpException("tools/list: the answer has no list of tools", null);
        if (tools.size() + rejected.size() + list.size() > MOST_TOOLS)
            throw new McpException("tools/list: the server has more than " + MOST_TOOLS + " tools", null);
        list.forEach(this::add);
        JsonNode ttl = result.path("ttlMs");
        if (ttl.isIntegralNumber() && ttl.canConvertToLong() && ttl.longValue() >= 0)
            timeToLive = Duration.ofMillis(ttl.longValue());
    }

    private void add(JsonNode json) {
        try {
            ToolDefinition tool = ToolDefinition.of(json, era.server().revision());
            if (!names.add(tool.name()))
                throw new IllegalArgumentException("the server has another tool of that name");
            tools.add(tool);
        } catch (IllegalArgumentException e) {
            String name = json.path("name").asString("");
            rejected.add(new ToolList.RejectedTool(
                    name.length() > LONGEST_NAME ? name.substring(0, LONGEST_NAME) + "…" : name,
                    String.valueOf(e.getMessage())));
        }
    }
}
