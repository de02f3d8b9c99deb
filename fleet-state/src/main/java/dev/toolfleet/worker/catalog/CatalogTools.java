package dev.toolfleet.worker.catalog;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import dev.toolfleet.wire.ToolCatalogItem;
import dev.toolfleet.worker.registry.CatalogTool;
import org.jspecify.annotations.Nullable;

/// Tools of one catalog, by name.
///
/// @param digest names the content
/// @param tools by the name that the model calls
public record CatalogTools(String digest, Map<String, CatalogTool> tools) {
    /// Indexes the items of a content record.
    public static CatalogTools of(String digest, List<ToolCatalogItem> items) {
        Map<String, CatalogTool> tools = new LinkedHashMap<>();
        items.forEach(item -> tools.put(item.name(), new CatalogTool(item)));
        return new CatalogTools(digest, tools);
    }

    /// Returns the tool of that name.
    public @Nullable CatalogTool tool(String name) {
        return tools.get(name);
    }
}
