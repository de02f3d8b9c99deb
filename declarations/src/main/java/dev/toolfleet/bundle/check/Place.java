package dev.toolfleet.bundle.check;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import com.networknt.schema.path.NodePath;
import dev.toolfleet.bundle.Choices;
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

    /// Returns the place at a validator's location below this one.
    Place at(NodePath location) {
        Place at = this;
        for (int i = 0; i < location.getNameCount(); i++)
            at = at.node().isArray() && location.getElement(i) instanceof Integer index
                    ? at.get(index)
                    : at.get(location.getName(i));
        return at;
    }

    /// True if there is a value. An explicit null counts as absent: YAML writes one for a key without a value.
    boolean present() {
        return !node.isMissingNode() && !node.isNull();
    }

    List<Place> items() {
        return node.isArray() ? IntStream.range(0, node.size()).mapToObj(this::get).toList() : List.of();
    }

    /// Returns the text; empty when there is none, or a blank one.
    Optional<String> text() {
        return node.isString() && !node.stringValue().isBlank() ? Optional.of(node.stringValue()) : Optional.empty();
    }

    /// Returns the texts among the items.
    Set<String> texts() {
        return items().stream().flatMap(item -> item.text().stream()).collect(Collectors.toCollection(TreeSet::new));
    }

    /// Returns the enum's constant that is written `in-lower-case`; empty when there is none.
    <E extends Enum<E>> Optional<E> choice(Class<E> type) {
        return Choices.parse(type, node.asString(""));
    }

    /// Returns the last key of its path.
    String key() {
        String text = path.toString();
        return text.substring(text.lastIndexOf('.') + 1);
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
