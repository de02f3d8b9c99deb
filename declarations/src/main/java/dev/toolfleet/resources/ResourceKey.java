package dev.toolfleet.resources;

import dev.toolfleet.wire.ResourceRecord;
import tools.jackson.databind.node.ObjectNode;

/// Derives a record's key on `tool.resource` from its content.
final class ResourceKey {
    private ResourceKey() {}

    static String of(ResourceRecord record) {
        return ResourceRecord.key(record.bundle(), kind(record), name(record));
    }

    static String kind(ResourceRecord record) {
        return kind(record.resource());
    }

    static String name(ResourceRecord record) {
        return name(record.resource());
    }

    static String kind(ObjectNode resource) {
        return resource.path("kind").asString("");
    }

    static String name(ObjectNode resource) {
        return resource.path("metadata").path("name").asString("");
    }
}
