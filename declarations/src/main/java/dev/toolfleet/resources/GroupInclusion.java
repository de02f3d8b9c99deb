package dev.toolfleet.resources;

import java.util.List;

import dev.toolfleet.bundle.Kinds;
import dev.toolfleet.bundle.PromptInclusion;
import dev.toolfleet.bundle.RuleSelector;
import dev.toolfleet.bundle.ToolGroupSpec;
import dev.toolfleet.wire.ToolCatalogItem;

/// Rule for showing a tool to models without a search, by the group of its export.
public final class GroupInclusion {
    private GroupInclusion() {}

    /// Returns the rule for an item of an agent. Only a declared ToolGroup can hide tools: the shipped groups belong to
    /// policy (`docs/decisions/0024-whose-policy-holds-where.md`). A group that is declared and unreadable hides its
    /// tools.
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
