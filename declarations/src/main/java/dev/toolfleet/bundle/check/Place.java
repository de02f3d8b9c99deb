package dev.toolfleet.bundle.check;

import java.util.List;
import java.util.stream.IntStream;

import dev.toolfleet.bundle.DocPath;
import dev.toolfleet.bundle.Resource;
import dev.toolfleet.bundle.SourcePosition;
import tools.jackson.databind.JsonNode;

/// Value in a resource, present or not, with its position: the input of rules and the target of findings.
record Place(Resource resource, DocPath path, JsonNode node) {
    static Place document(Resource resource) {
        return new Place(resource, DocPath.ROOT, resource.document());
    }

    static Place spec(Resource resource) {
        return document(resource).get("spec");
    }

    Place get(String key) {
        return new Place(resource, path.key(key), node.path(key));
    }

    Place get(int index) {
        return new Place(resource, path.index(index), node.path(index));
    }

    /// True if there is a value. An explicit null counts as absent: YAML writes one for a key without a value.
    boolean present() {
        return !node.isMissingNode() && !node.isNull();
    }

    List<Place> items() {
        return node.isArray() ? IntStream.range(0, node.size()).mapToObj(this::get).toList() : List.of();
    }

    List<Place> fields() {
        return node.isObject() ? node.propertyNames().stream().map(this::get).toList() : List.of();
    }

    SourcePosition position() {
        return resource.source().value(path);
    }

    SourcePosition keyPosition() {
        return resource.source().key(path);
    }

    /// Returns the value for a message, cut when it is long.
    String shown() {
        String text = node.isString() ? "'" + node.stringValue() + "'" : node.toString();
        return text.length() > 60 ? text.substring(0, 60) + "…" : text;
    }
}
