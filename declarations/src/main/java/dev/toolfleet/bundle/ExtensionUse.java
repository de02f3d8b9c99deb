package dev.toolfleet.bundle;

import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// An extension that an agent lists, with the configuration that the agent lays over the extension's own.
public record ExtensionUse(Ref ref, ObjectNode config) {
    static ExtensionUse of(ResourceJson json) {
        ObjectNode config = json.node().isObject() && json.node().has("ref")
                ? json.get("config").object()
                : JsonNodeFactory.instance.objectNode();
        return new ExtensionUse(json.ref(), config);
    }
}
