package dev.toolfleet.bundle;

import java.util.List;
import java.util.Set;

import dev.toolfleet.bundle.ToolPolicySpec.Reach;
import tools.jackson.databind.node.ObjectNode;

/// A PromptSection: a text of the agents' author in their system prompts.
///
/// @param name the section's id
/// @param reach the agents in whose prompts it stands: those of its bundle, or all
/// @param agents the names of these agents; empty for all within reach
/// @param title the heading, one line
/// @param stability how long the text stays the same, for the cache of a model's provider
/// @param priority the place among sections of one stability, highest first; the lowest is dropped first
/// @param required true when a budget must not drop it
/// @param share the largest part of the budget that it may have, more than 0 and at most 1, unless it is required
/// @param text the body
public record PromptSectionSpec(String name, Reach reach, List<String> agents, String title, Stability stability,
        int priority, boolean required, double share, String text) {
    /// The priority of a section that declares none: behind the seed's sections for the agent, before examples.
    public static final int PRIORITY = 50;

    /// Ids of the sections that every prompt has, those of the seed.
    public static final Set<String> BUILT_IN = Set.of("identity", "capabilities", "tools", "finance-context",
            "compliance", "risk-disclaimer", "user-context", "channel-context", "formatting", "language", "constraints",
            "examples", "current-state", "memory", "custom");

    /// Lifetime of a section's text.
    public enum Stability {
        /// The same for all agents.
        STATIC,
        /// The same for all conversations of an agent.
        AGENT,
        /// The same for a conversation.
        SESSION,
        /// Different in each turn.
        TURN
    }

    /// Reads a resource of kind `PromptSection`.
    ///
    /// @throws InvalidResourceException when it is no PromptSection, or a field has the wrong shape
    public static PromptSectionSpec of(ObjectNode resource) {
        ResourceJson spec = ResourceJson.spec(resource, Kinds.PROMPT_SECTION);
        return new PromptSectionSpec(ResourceJson.name(resource),
                spec.get("reach").choice(Reach.class).orElse(Reach.BUNDLE), spec.get("agents").list(ResourceJson::text),
                spec.get("title").text(), spec.get("stability").choice(Stability.class).orElse(Stability.AGENT),
                spec.get("priority").whole(PRIORITY), spec.get("required").flag(), spec.get("share").number(1),
                spec.get("text").text());
    }

    /// True if it stands in the prompt of the agent of a bundle.
    public boolean appliesTo(String bundle, String ownBundle, String agent) {
        return (reach == Reach.FLEET || bundle.equals(ownBundle)) && (agents.isEmpty() || agents.contains(agent));
    }
}
