package dev.toolfleet.resources;

import java.util.List;

import dev.toolfleet.bundle.Kinds;
import dev.toolfleet.bundle.PromptInclusion;
import dev.toolfleet.bundle.RuleSelector;
import dev.toolfleet.bundle.ToolGroupSpec;
import dev.toolfleet.wire.ToolCatalogItem;

/// Whether a model is told of a tool without asking, by the group of its export.
public final class GroupInclusion {
    private GroupInclusion() {}

    /// What holds for an item of an agent. Only what a ToolGroup declares can hide tools: the shipped groups are policy's
    /// (decision 24). A group that is declared and cannot be read hides its tools.
    ///
    /// @param bundle the agent's
    public static PromptInclusion of(FleetResources resources, String bundle, ToolCatalogItem item) {
        String group = item.group();
        if (group == null)
            return PromptInclusion.ALWAYS;
        List<String> bundles = List.of(bundle, item.tool().bundle());
        if (bundles.stream().flatMap(name -> resources.bundle(name).stream()).anyMatch(in -> isUnreadable(in, group)))
            return PromptInclusion.NEVER;
        return resources.group(group, bundles).map(ToolGroupSpec::includeInPromptWhen).orElse(PromptInclusion.ALWAYS);
    }

    private static boolean isUnreadable(BundleResources bundle, String group) {
        return bundle.ofKind(Kinds.TOOL_GROUP).stream().map(ResourceKey::name)
                .anyMatch(name -> RuleSelector.group(name).equals(RuleSelector.group(group))
                        && !bundle.groups().containsKey(name));
    }
}
