package dev.toolfleet.client.format;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;

import dev.toolfleet.json.Json;
import dev.toolfleet.wire.ToolCatalogItem;
import tools.jackson.databind.node.ObjectNode;

/// `{"type": "function", "function": {…}}`, as OpenAI's Chat Completions take it. Not strict: strict mode knows a
/// subset of JSON Schema that few tools keep to, with every argument required.
final class OpenAiTools implements ToolShape {
    private static final int MAX_TOOLS = 128;
    private static final int SAFE_DESCRIPTION = 1024;
    private static final Set<String> REFUSED = Set.of("oneOf", "anyOf", "allOf", "enum", "const", "not");

    @Override
    public Map<String, String> names(Collection<String> names) {
        return NameRule.PROVIDER.given(names);
    }

    @Override
    public ObjectNode tool(String name, ToolCatalogItem item, ParameterSchema parameters) {
        ObjectNode tool = Json.MAPPER.createObjectNode().put("type", "function");
        ObjectNode function = tool.putObject("function").put("name", name);
        if (item.description() != null)
            function.put("description", item.description());
        function.set("parameters", parameters.followTop().flatten(REFUSED, "OpenAI").sayObject().sayProperties()
                .sayItems().schema());
        function.put("strict", false);
        return tool;
    }

    @Override
    public List<Note> notes(List<ToolCatalogItem> items) {
        List<Note> notes = new ArrayList<>();
        if (items.size() > MAX_TOOLS) {
            notes.add(new Note("", "OpenAI takes at most " + MAX_TOOLS + " tools in a request, and these are "
                    + items.size() + ". List fewer for the agent, or let tool-search select some."));
        }
        for (ToolCatalogItem item : items) {
            String description = item.description();
            if (description != null && description.length() > SAFE_DESCRIPTION) {
                notes.add(new Note(item.name(), "Its description has " + description.length()
                        + " characters, and OpenAI's older models refuse more than " + SAFE_DESCRIPTION + "."));
            }
        }
        return notes;
    }
}
