package dev.toolfleet.policy;

import java.util.Locale;
import java.util.Set;

import dev.toolfleet.bundle.RuleSelector;
import dev.toolfleet.bundle.RuleSource;
import dev.toolfleet.resources.FleetResources;
import dev.toolfleet.wire.ToolSource;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// Question in the form in which rules compare it.
///
/// @param arguments null when they are not known
/// @param labels of the instance
/// @param name the tool's, in lower case
/// @param group in lower case; null when the tool has none
/// @param agentBundle the bundle that declares the calling agent; null for none
record Facts(PolicyTool tool, PolicyCaller caller, @Nullable JsonNode arguments, Set<String> labels, String name,
        @Nullable String group, RuleSource source, @Nullable String agentBundle) {
    static Facts of(PolicyQuery query, @Nullable String agentBundle) {
        PolicyTool tool = query.tool();
        String group = tool.group();
        return new Facts(tool, query.caller(), query.arguments(), query.labels(),
                tool.name().strip().toLowerCase(Locale.ROOT),
                group == null || group.isBlank() ? null : RuleSelector.group(group), source(tool), agentBundle);
    }

    /// True if the bundle declares the agent or the Tool.
    boolean isHome(String bundle) {
        return bundle.equals(agentBundle) || bundle.equals(tool.bundle());
    }

    private static RuleSource source(PolicyTool tool) {
        if (!tool.source().equals(ToolSource.CONFIG))
            return RuleSource.parse(tool.source()).orElse(RuleSource.EXTENSION);
        return tool.bundle().equals(FleetResources.BUILT_IN) ? RuleSource.BUILT_IN : RuleSource.CONFIG;
    }
}
