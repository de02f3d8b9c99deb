package dev.toolfleet.bundle;

import java.util.Set;

/// The kinds of resources, and the API versions that have them.
public final class Kinds {
    /// A module of exports.
    public static final String TOOL = "Tool";
    /// An agent, which calls tools.
    public static final String AGENT = "Agent";
    /// Agents that work together.
    public static final String SWARM = "Swarm";
    /// Middlewares.
    public static final String EXTENSION = "Extension";
    /// Common settings of the exports of one group.
    public static final String TOOL_GROUP = "ToolGroup";
    /// Rules for the calls of tools.
    public static final String TOOL_POLICY = "ToolPolicy";
    /// Rules for the publishing of results.
    public static final String RESULT_GUARD = "ResultGuard";
    /// A limit on the calls of tools, or on their cost.
    public static final String EFFECT_BUDGET = "EffectBudget";
    /// A bundle's name and dependencies.
    public static final String PACKAGE = "Package";
    /// A language model; used by the agent runtime only.
    public static final String MODEL = "Model";
    /// Instructions for the model, and tools that it may call once it has opened them.
    public static final String SKILL = "Skill";

    /// The model's window of agents, and the compaction of their sessions.
    public static final String CONTEXT_POLICY = "ContextPolicy";

    /// A section of agents' system prompts.
    public static final String PROMPT_SECTION = "PromptSection";

    /// Access for tools on behalf of people.
    public static final String OAUTH_APP = "OAuthApp";
    /// `apiVersion` of Goondan's bundles.
    public static final String GOONDAN_V1 = "goondan.ai/v1";
    /// `apiVersion` of the fleet's own kinds.
    public static final String TOOLFLEET_V1 = "toolfleet.dev/v1";
    /// `apiVersion` of bundles from v0.8.
    public static final String V08 = "agents.example.io/v1alpha1";

    /// The kinds of `goondan.ai/v1`.
    public static final Set<String> GOONDAN = Set.of(MODEL, AGENT, SWARM, TOOL, EXTENSION, "Connector", "Connection",
            PACKAGE);
    /// The kinds that only `toolfleet.dev/v1` has.
    public static final Set<String> FLEET = Set.of(TOOL_GROUP, TOOL_POLICY, RESULT_GUARD, SKILL, CONTEXT_POLICY,
            PROMPT_SECTION, OAUTH_APP, EFFECT_BUDGET);
    /// The kinds that only v0.8 had.
    public static final Set<String> V08_ONLY = Set.of(OAUTH_APP, "ResourceType", "ExtensionHandler", "Bundle");
    /// The kinds that the fleet uses and that are therefore published; the agent runtime uses the others.
    public static final Set<String> PUBLISHED = Set.of(TOOL, AGENT, SWARM, EXTENSION, TOOL_GROUP, TOOL_POLICY,
            RESULT_GUARD, SKILL, CONTEXT_POLICY, PROMPT_SECTION, OAUTH_APP, EFFECT_BUDGET);

    private Kinds() {}

    /// True if any API version has the kind.
    public static boolean known(String kind) {
        return GOONDAN.contains(kind) || FLEET.contains(kind) || V08_ONLY.contains(kind);
    }
}
