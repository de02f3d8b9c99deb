package dev.toolfleet.worker.registry;

import dev.toolfleet.wire.ToolCatalogItem;

/// Tool of a catalog, with its schema compiled on first use.
public final class CatalogTool {
    private final ToolCatalogItem item;
    private final ArgumentSchema schema;

    /// Creates the tool of a catalog's item.
    public CatalogTool(ToolCatalogItem item) {
        this.item = item;
        this.schema = new ArgumentSchema(item.name(), item.parameters());
    }

    /// Returns the item that the model saw.
    public ToolCatalogItem item() {
        return item;
    }

    /// Returns the validator for the schema that the model saw.
    public ArgumentSchema schema() {
        return schema;
    }
}
