package dev.toolfleet.wire;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

import static java.util.Objects.requireNonNull;

/// Tool as a model sees it, in the arrays on `tool.catalog.content`.
///
/// @param name the name that the model calls, such as `bash__exec`
/// @param description for the model
/// @param parameters the JSON Schema, unchanged from the bundle
/// @param source the declarer of the tool
/// @param tool the declaration that the worker runs
/// @param group the export's group
/// @param outputSchema the JSON Schema of the output, of an export whose output the worker checks (`validateOutput`); null
///        when it checks none
public record ToolCatalogItem(String name, @Nullable String description, ObjectNode parameters, ToolSource source,
        ToolRef tool, @Nullable String group, @Nullable ObjectNode outputSchema) {

    /// Checks that the tool can be called.
    public ToolCatalogItem {
        requireNonNull(name, "name");
        requireNonNull(parameters, "parameters");
        requireNonNull(source, "source");
        requireNonNull(tool, "tool");
    }

    /// Makes a tool whose output is not checked.
    public ToolCatalogItem(String name, @Nullable String description, ObjectNode parameters, ToolSource source,
            ToolRef tool, @Nullable String group) {
        this(name, description, parameters, source, tool, group, null);
    }
}
