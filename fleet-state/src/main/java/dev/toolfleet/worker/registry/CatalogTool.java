package dev.toolfleet.worker.registry;

import dev.toolfleet.wire.ToolCatalogItem;
import org.jspecify.annotations.Nullable;

/// Tool of a catalog, with its schema compiled on first use.
public final class CatalogTool {
    private final ToolCatalogItem item;
    private volatile @Nullable ArgumentSchema schema;

    /// Creates the tool of a catalog's item.
    public CatalogTool(ToolCatalogItem item) {
        this.item = item;
    }

    /// Returns the item that the model saw.
    public ToolCatalogItem item() {
        return item;
    }

    /// Returns the validator for the schema that the model saw.
    public ArgumentSchema schema() {
        ArgumentSchema compiled = schema;
        if (compiled == null) {
            compiled = ArgumentSchema.compile(item.name(), item.parameters());
            schema = compiled;
        }
        return compiled;
    }
}
