package dev.toolfleet.client.format;

import java.util.Collection;
import java.util.Map;

import dev.toolfleet.json.Json;
import dev.toolfleet.wire.ToolCatalogItem;
import tools.jackson.databind.node.ObjectNode;

/// `{"name", "description", "inputSchema"}`, a Tool of the Model Context Protocol (revision 2025-11-25).
final class McpTools implements ToolShape {
    @Override
    public Map<String, String> names(Collection<String> names) {
        return NameRule.MCP.given(names);
    }

    @Override
    public ObjectNode tool(String name, ToolCatalogItem item, ParameterSchema parameters) {
        ObjectNode tool = Json.MAPPER.createObjectNode().put("name", name);
        if (item.description() != null)
            tool.put("description", item.description());
        tool.set("inputSchema", parameters.sayObject().sayObjectProperties().schema());
        return tool;
    }
}
