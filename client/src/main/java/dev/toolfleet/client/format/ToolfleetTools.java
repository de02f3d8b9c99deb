package dev.toolfleet.client.format;

import java.util.Collection;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

import dev.toolfleet.json.Json;
import dev.toolfleet.wire.ToolCatalogItem;
import tools.jackson.databind.node.ObjectNode;

/// Leaves everything unchanged.
final class ToolfleetTools implements ToolShape {
    @Override
    public Map<String, String> names(Collection<String> names) {
        return names.stream().collect(Collectors.toMap(Function.identity(), Function.identity()));
    }

    @Override
    public ObjectNode tool(String name, ToolCatalogItem item, ParameterSchema parameters) {
        return Json.MAPPER.valueToTree(item);
    }
}
