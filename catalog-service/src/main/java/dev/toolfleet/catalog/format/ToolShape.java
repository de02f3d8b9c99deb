package dev.toolfleet.catalog.format;

import java.util.Collection;
import java.util.List;
import java.util.Map;

import dev.toolfleet.wire.ToolCatalogItem;
import tools.jackson.databind.node.ObjectNode;

/// How one format writes a tool. Stateless.
interface ToolShape {
    /// A name for each tool, by the one that the catalog has.
    Map<String, String> names(Collection<String> names);

    /// The tool.
    ///
    /// @param name as the format has it
    /// @param parameters of the item, to be adapted
    ObjectNode tool(String name, ToolCatalogItem item, ParameterSchema parameters);

    /// What the provider will not take, and this format cannot change.
    default List<Note> notes(List<ToolCatalogItem> items) {
        return List.of();
    }
}
