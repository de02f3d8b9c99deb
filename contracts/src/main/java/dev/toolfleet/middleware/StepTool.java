package dev.toolfleet.middleware;

import java.util.Objects;

import dev.toolfleet.wire.ToolCatalogItem;
import dev.toolfleet.wire.ToolRef;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

import static java.util.Objects.requireNonNull;

/// A tool in a step's list.
///
/// @param item in the model's view. The JSON in it is shared by all steps: copy it before changing it
/// @param readOnly true if its export is declared as read-only
/// @param onDemand true if its group is shown on demand only; such a tool is in no list until a layer adds it
public record StepTool(ToolCatalogItem item, boolean readOnly, boolean onDemand) {
    /// Checks that there is an item.
    public StepTool {
        requireNonNull(item, "item");
    }

    /// Returns the name that the model calls.
    public String name() {
        return item.name();
    }

    /// Returns the declaration behind it.
    public ToolRef ref() {
        return item.tool();
    }

    /// Returns the same tool with another description.
    public StepTool describedAs(@Nullable String description) {
        return new StepTool(new ToolCatalogItem(item.name(), description, item.parameters(), item.source(),
                item.tool(), item.group(), item.outputSchema()), readOnly, onDemand);
    }

    /// Returns the same tool with another schema; its arguments are then checked against that, too.
    public StepTool withParameters(ObjectNode parameters) {
        return new StepTool(new ToolCatalogItem(item.name(), item.description(), parameters, item.source(),
                item.tool(), item.group(), item.outputSchema()), readOnly, onDemand);
    }

    /// True if the other is the same tool, even with another description. It may leave the schema of the output out, as
    /// layers do that were compiled before there was one, but not declare another.
    public boolean isSameAs(StepTool other) {
        return item.tool().equals(other.item.tool()) && item.name().equals(other.item.name())
                && item.source().equals(other.item.source())
                && Objects.equals(item.group(), other.item.group())
                && (other.item.outputSchema() == null || other.item.outputSchema().equals(item.outputSchema()));
    }
}
