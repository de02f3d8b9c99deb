package dev.toolfleet.bundle;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// Reader of a resource's JSON fields for the typed views. A field of another shape fails; the message names the
/// resource and the field.
final class ResourceJson {
    private final String resource;
    private final DocPath path;
    private final JsonNode node;

    private ResourceJson(String resource, DocPath path, JsonNode node) {
        this.resource = resource;
        this.path = path;
        this.node = node;
    }

    static ResourceJson spec(ObjectNode document, String kind) {
        if (!kind.equals(kind(document))) {
            throw new InvalidResourceException(
                    kind(document) + "/" + name(document) + " was read as a " + kind + ", which it is not.");
        }
        return new ResourceJson(kind + "/" + name(document), DocPath.ROOT.key("spec"), document.path("spec"));
    }

    static String kind(ObjectNode document) {
        return document.path("kind").asString("");
    }

    static String name(ObjectNode document) {
        return document.path("metadata").path("name").asString("");
    }

    JsonNode node() {
        return node;
    }

    ResourceJson get(String key) {
        return new ResourceJson(resource, path.key(key), node.path(key));
    }

    boolean present() {
        return !node.isMissingNode() && !node.isNull();
    }

    /// True if the field is present but empty.
    boolean empty() {
        return node.isNull() || (node.isContainer() && node.isEmpty());
    }

    String text() {
        if (!node.isString()) {
            throw wrong("a string");
        }
        return node.stringValue();
    }

    Optional<String> optionalText() {
        return present() ? Optional.of(text()) : Optional.empty();
    }

    String text(String absent) {
        return present() ? text() : absent;
    }

    boolean flag() {
        if (present() && !node.isBoolean()) {
            throw wrong("true or false");
        }
        return node.asBoolean(false);
    }

    /// Empty when it is absent.
    Optional<Boolean> optionalFlag() {
        return present() ? Optional.of(flag()) : Optional.empty();
    }

    int positive(int absent) {
        if (!present()) {
            return absent;
        }
        if (!node.canConvertToInt() || node.asInt() < 1) {
            throw wrong("a positive whole number");
        }
        return node.asInt();
    }

    int whole(int absent) {
        if (!present()) {
            return absent;
        }
        if (!node.isIntegralNumber() || !node.canConvertToInt()) {
            throw wrong("a whole number");
        }
        return node.asInt();
    }

    /// Reads a text, or a list of at least one; none when it is absent.
    <T> List<T> texts(Function<String, Optional<T>> read, String form) {
        if (empty()) {
            throw wrong("left out, or have at least one item");
        }
        return node.isArray()
                ? list(item -> item.text(read, form))
                : present() ? List.of(text(read, form)) : List.of();
    }

    /// Rejects a field that is not among the known ones.
    @SafeVarargs
    final void known(Set<String>... fields) {
        object();
        Set<String> known = new HashSet<>();
        for (Set<String> some : fields) {
            known.addAll(some);
        }
        for (String field : node.propertyNames()) {
            if (!known.contains(field)) {
                throw new InvalidResourceException(
                        resource + ": " + path.key(field) + " is an unknown field.");
            }
        }
    }

    private <T> T text(Function<String, Optional<T>> read, String form) {
        if (!node.isString() || node.stringValue().isBlank()) {
            throw wrong("a text that is not blank");
        }
        return read.apply(node.stringValue().strip()).orElseThrow(() -> wrong(form));
    }

    double number(double absent) {
        if (!present()) {
            return absent;
        }
        return node.doubleValueOpt().orElseThrow(() -> wrong("a number"));
    }

    /// One of an enum's constants, written `in-lower-case`.
    <E extends Enum<E>> Optional<E> choice(Class<E> type) {
        if (!present()) {
            return Optional.empty();
        }
        return Optional.of(Choices.parse(type, node.asString("")).orElseThrow(() -> wrong(Choices.form(type))));
    }

    Optional<Duration> duration() {
        if (!present()) {
            return Optional.empty();
        }
        Optional<Duration> duration = node.isString() ? Durations.parse(node.stringValue()) : Optional.empty();
        return Optional.of(duration.orElseThrow(() -> wrong(Durations.FORM)));
    }

    ObjectNode object() {
        if (!present()) {
            return JsonNodeFactory.instance.objectNode();
        }
        if (!(node instanceof ObjectNode object)) {
            throw wrong("a mapping");
        }
        return object;
    }

    Ref ref() {
        return switch (Ref.parse(node)) {
            case Ref ref -> ref;
            case ParsedRef.Malformed malformed -> throw new InvalidResourceException(
                    resource + ": " + path + " is no reference: " + malformed.reason());
        };
    }

    <T> List<T> list(Function<ResourceJson, T> item) {
        if (!present()) {
            return List.of();
        }
        if (!node.isArray()) {
            throw wrong("a list");
        }
        List<T> items = new ArrayList<>();
        for (int i = 0; i < node.size(); i++) {
            items.add(item.apply(new ResourceJson(resource, path.index(i), node.path(i))));
        }
        return List.copyOf(items);
    }

    InvalidResourceException wrong(String expected) {
        String was = node.isMissingNode() ? "missing" : node.toString();
        return new InvalidResourceException(resource + ": " + path + " must be " + expected + ", and is "
                + (was.length() > 80 ? was.substring(0, 80) + "…" : was) + ".");
    }
}
