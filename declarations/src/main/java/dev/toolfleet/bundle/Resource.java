package dev.toolfleet.bundle;

import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// One declaration of a bundle.
///
/// @param apiVersion empty when the document has none (which the loader has reported)
/// @param document the whole document; must not be changed
/// @param source the positions of its keys and values
/// @param documentIndex its place among its file's documents, from 0
public record Resource(String apiVersion, String kind, String name, ObjectNode document, SourceMap source,
        int documentIndex) {
    /// Makes a resource that did not come from a file.
    public static Resource of(ObjectNode document) {
        return new Resource(document.path("apiVersion").asString(""), ResourceJson.kind(document),
                ResourceJson.name(document), document, SourceMap.NONE, 0);
    }

    /// `metadata`; empty when it is absent or no mapping.
    public ObjectNode metadata() {
        return object("metadata");
    }

    /// `spec`; empty when it is absent or no mapping.
    public ObjectNode spec() {
        return object("spec");
    }

    /// `Kind/name`, as references write it.
    public String id() {
        return kind + "/" + name;
    }

    /// The file that it came from, relative to the bundle's folder; empty when it came from none.
    public String file() {
        return source.document().file();
    }

    private ObjectNode object(String key) {
        return document.path(key) instanceof ObjectNode object ? object : JsonNodeFactory.instance.objectNode();
    }
}
