package dev.toolfleet.bundle;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

import tools.jackson.databind.node.ObjectNode;

/// A ToolGroup: common settings of the exports with `group: NAME`. The fields are FinClaw's (phase 7, section 4.3).
///
/// @param name the name in exports
/// @param displayName for people; the name when there is none
/// @param description empty when there is none
/// @param defaultPolicy the verdict for the group's tools without a matching rule; empty means the policy's own default
/// @param includeInPromptWhen the rule for showing the group's tools in catalogs
public record ToolGroupSpec(String name, String displayName, String description, Optional<Verdict> defaultPolicy,
        PromptInclusion includeInPromptWhen) {
    /// The group whose default also holds for exports of an undeclared group, once defaults apply.
    public static final String CUSTOM = "custom";

    /// The groups of every fleet, by name: the six of FinClaw's phase 7, and `mcp`. A bundle may declare its own of the
    /// same name.
    public static final Map<String, ToolGroupSpec> SHIPPED = List
            .of(open("finance", "Finance", "Quotes, portfolios, news, charts"),
                    guarded("system", "System", "Files, processes, the environment"),
                    open("web", "Web", "Searching, reading pages, calling services"),
                    guarded("data", "Data", "Databases, caches, stored files"),
                    open("communication", "Communication", "Messages and notifications"),
                    guarded("mcp", "MCP", "Tools of MCP servers"),
                    guarded(CUSTOM, "Custom", "Everything else"))
            .stream().collect(Collectors.toUnmodifiableMap(ToolGroupSpec::name, Function.identity()));

    /// Reads a resource of kind `ToolGroup`. Missing fields are as in the shipped group of its name, else: no default,
    /// always in the prompt.
    ///
    /// @throws InvalidResourceException when it is no ToolGroup, or a field has the wrong shape
    public static ToolGroupSpec of(ObjectNode resource) {
        ResourceJson spec = ResourceJson.spec(resource, Kinds.TOOL_GROUP);
        String name = ResourceJson.name(resource);
        ToolGroupSpec base = SHIPPED.getOrDefault(name,
                new ToolGroupSpec(name, name, "", Optional.empty(), PromptInclusion.ALWAYS));
        return new ToolGroupSpec(name, spec.get("displayName").text(base.displayName()),
                spec.get("description").text(base.description()),
                spec.get("defaultPolicy").choice(Verdict.class).or(base::defaultPolicy),
                spec.get("includeInPromptWhen").choice(PromptInclusion.class).orElse(base.includeInPromptWhen()));
    }

    private static ToolGroupSpec open(String name, String displayName, String description) {
        return new ToolGroupSpec(name, displayName, description, Optional.of(Verdict.ALLOW), PromptInclusion.ALWAYS);
    }

    private static ToolGroupSpec guarded(String name, String displayName, String description) {
        return new ToolGroupSpec(name, displayName, description, Optional.of(Verdict.REQUIRE_APPROVAL),
                PromptInclusion.ON_DEMAND);
    }
}
