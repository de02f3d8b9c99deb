package dev.toolfleet.client.format;

import java.util.Collection;
import java.util.List;
import java.util.Map;

import dev.toolfleet.wire.ToolCatalogItem;
import tools.jackson.databind.node.ObjectNode;

/// Shape of a tool in one format. Stateless.
interface ToolShape {
    /// Returns a name for each tool, by its name in the catalog.
    Map<String, String> names(Collection<String> names);

    /// Returns the tool.
    ///
    /// @param name the name in this format
    /// @param parameters of the item, to be adapted
    ObjectNode tool(String name, ToolCatalogItem item, ParameterSchema parameters);

    /// Returns the properties that the provider rejects and this format cannot change.
    default List<Note> notes(List<ToolCatalogItem> items) {
        return List.of();
    }
}
