package dev.toolfleet.bundle.check;

import java.util.Set;
import java.util.TreeSet;

import dev.toolfleet.bundle.Kinds;
import dev.toolfleet.bundle.PromptInclusion;
import dev.toolfleet.bundle.ToolGroupSpec;
import dev.toolfleet.bundle.Verdict;

/// Checks `kind: ToolGroup`.
final class ToolGroupRules {
    private ToolGroupRules() {}

    static void check(Place spec, Check check) {
        check.knownFields(spec, Set.of("displayName", "description", "defaultPolicy", "includeInPromptWhen"));
        check.shapes().text(spec.get("displayName"));
        check.shapes().text(spec.get("description"));
        check.shapes().choice(spec.get("defaultPolicy"), Verdict.class);
        check.shapes().choice(spec.get("includeInPromptWhen"), PromptInclusion.class);
    }

    /// Returns the groups that an export of this bundle may name: the bundle's, the built-in bundle's, the shipped
    /// ones.
    static Set<String> known(Check check) {
        Set<String> groups = new TreeSet<>(ToolGroupSpec.SHIPPED.keySet());
        groups.addAll(check.builtIns().names(Kinds.TOOL_GROUP));
        check.bundle().ofKind(Kinds.TOOL_GROUP).forEach(group -> groups.add(group.name()));
        return groups;
    }
}
