package dev.toolfleet.client.format;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;

import dev.toolfleet.json.Json;
import dev.toolfleet.wire.ToolCatalogItem;
import tools.jackson.databind.node.ObjectNode;

/// `{"name", "description", "inputSchema", "outputSchema"}`, a Tool of the Model Context Protocol (revision 2025-11-25).
///
/// A tool has an `outputSchema` only if workers check its results, because a client may refuse a result that breaks it.
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
        ObjectNode output = item.outputSchema();
        // A true or false in the place of a property's schema becomes an object of the same meaning.
        if (output != null && isOfObject(output))
            tool.set("outputSchema", new ParameterSchema(output).sayObjectProperties().schema());
        return tool;
    }

    @Override
    public List<Note> notes(List<ToolCatalogItem> items) {
        List<Note> notes = new ArrayList<>();
        for (ToolCatalogItem item : items) {
            ObjectNode output = item.outputSchema();
            if (output != null && !isOfObject(output))
                notes.add(new Note(item.name(), "Its outputSchema does not say type: object, which this revision of"
                        + " the protocol requires, so it was left out. Results are still checked against it."));
        }
        return notes;
    }

    private static boolean isOfObject(ObjectNode schema) {
        return schema.path("type").asString("").equals("object");
    }
}
