package dev.toolfleet.middleware;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

import static java.util.Objects.requireNonNull;

/// Tool that an extension publishes while it runs. Immutable.
///
/// @param name by which a model calls it, `tool__export`, as in `sky__look`
/// @param export the fields of an export of a bundle, without its name: description, parameters, annotations, timeout
///        and the others
public record ToolDeclaration(String name, ObjectNode export) {
    /// Copies the export.
    public ToolDeclaration {
        requireNonNull(name, "name");
        export = export.deepCopy();
        export.remove("name");
    }

    /// Makes a tool that promises nothing about its effects, so that it starts at most once.
    ///
    /// @param description by which a model chooses
    /// @param parameters the JSON Schema of the arguments, an object's
    public static ToolDeclaration of(String name, String description, ObjectNode parameters) {
        ObjectNode export = JsonNodeFactory.instance.objectNode().put("description", description);
        export.set("parameters", parameters);
        return new ToolDeclaration(name, export);
    }

    /// Returns the same with another field of the export, such as `timeout` or `group`.
    public ToolDeclaration with(String field, JsonNode value) {
        ObjectNode changed = export.deepCopy();
        changed.set(field, value);
        return new ToolDeclaration(name, changed);
    }

    /// Returns the same with the promise that a call changes nothing.
    public ToolDeclaration readOnly() {
        return annotated("readOnly");
    }

    /// Returns the same with the promise that a second run changes nothing more.
    public ToolDeclaration idempotent() {
        return annotated("idempotent");
    }

    private ToolDeclaration annotated(String annotation) {
        ObjectNode annotations = export.path("annotations") instanceof ObjectNode found
                ? found.deepCopy()
                : JsonNodeFactory.instance.objectNode();
        return with("annotations", annotations.put(annotation, true));
    }

    /// Returns a copy, so that a published declaration never changes.
    @Override
    public ObjectNode export() {
        return export.deepCopy();
    }
}
