package dev.toolfleet.client.format;

import dev.toolfleet.json.Json;
import dev.toolfleet.wire.ToolCatalogItem;
import dev.toolfleet.wire.ToolRef;
import dev.toolfleet.wire.ToolSource;
import tools.jackson.databind.node.ObjectNode;

/// Catalog items for tests.
final class Items {
    private Items() {}

    static ToolCatalogItem item(String name, String parameters) {
        return item(name, (ObjectNode) Json.MAPPER.readTree(parameters));
    }

    /// An item whose output is checked.
    static ToolCatalogItem checked(String name, ObjectNode parameters, ObjectNode output) {
        ToolCatalogItem item = item(name, parameters);
        return new ToolCatalogItem(name, item.description(), parameters, item.source(), item.tool(), item.group(),
                output);
    }

    static ToolCatalogItem item(String name, ObjectNode parameters) {
        return new ToolCatalogItem(name, "does " + name, parameters, new ToolSource(ToolSource.CONFIG, "a"),
                new ToolRef("acme", "a", "z"), null);
    }
}
