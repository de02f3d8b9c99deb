package dev.toolfleet.client.format;

import java.util.Collection;
import java.util.Map;
import java.util.Set;

import dev.toolfleet.json.Json;
import dev.toolfleet.wire.ToolCatalogItem;
import tools.jackson.databind.node.ObjectNode;

/// `{"name", "description", "input_schema"}`, as Anthropic's Messages take it.
final class AnthropicTools implements ToolShape {
    private static final Set<String> REFUSED = Set.of("oneOf", "anyOf", "allOf");

    @Override
    public Map<String, String> names(Collection<String> names) {
        return NameRule.PROVIDER.given(names);
    }

    @Override
    public ObjectNode tool(String name, ToolCatalogItem item, ParameterSchema parameters) {
        ObjectNode tool = Json.MAPPER.createObjectNode().put("name", name);
        if (item.description() != null)
            tool.put("description", item.description());
        tool.set("input_schema", parameters.followTop().flatten(REFUSED, "Anthropic").sayObject()
                .renameArguments(NameRule.ANTHROPIC_ARGUMENT).noteOtherDraft().schema());
        return tool;
    }
}
