package dev.toolfleet.worker.registry;

import dev.toolfleet.wire.ToolCatalogItem;
import org.jspecify.annotations.Nullable;

/// A tool as the catalog showed it, with its schema compiled on first use.
public final class CatalogTool {
    private final ToolCatalogItem item;
    private volatile @Nullable ArgumentSchema schema;

    /// A tool as it stands in a catalog.
    public CatalogTool(ToolCatalogItem item) {
        this.item = item;
    }

    /// What the model saw.
    public ToolCatalogItem item() {
        return item;
    }

    /// Checks arguments against what the model saw.
    public ArgumentSchema schema() {
        ArgumentSchema compiled = schema;
        if (compiled == null) {
            compiled = ArgumentSchema.compile(item.name(), item.parameters());
            schema = compiled;
        }
        return compiled;
    }
}
