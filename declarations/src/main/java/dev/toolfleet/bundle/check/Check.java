package dev.toolfleet.bundle.check;

import java.util.Set;
import java.util.TreeSet;

import dev.toolfleet.bundle.BuiltIns;
import dev.toolfleet.bundle.Bundle;
import dev.toolfleet.bundle.Kinds;
import dev.toolfleet.bundle.ToolGroupSpec;

/// Validation of one bundle, with the parts that the rules need.
record Check(Bundle bundle, BuiltIns builtIns, Findings findings, ParameterSchemas schemas) {
    Refs refs() {
        return new Refs(bundle, builtIns, findings);
    }

    /// Returns the groups that an export of this bundle may name: the bundle's, the built-in bundle's, the shipped
    /// ones.
    Set<String> groups() {
        Set<String> groups = new TreeSet<>(ToolGroupSpec.SHIPPED.keySet());
        groups.addAll(builtIns.names(Kinds.TOOL_GROUP));
        bundle.ofKind(Kinds.TOOL_GROUP).forEach(group -> groups.add(group.name()));
        return groups;
    }
}
