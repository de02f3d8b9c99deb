package dev.toolfleet.bundle;

import java.util.Set;

/// The kinds of resources, and which API versions know them.
public final class Kinds {
    /// A module of exports.
    public static final String TOOL = "Tool";
    /// Who calls tools.
    public static final String AGENT = "Agent";
    /// Agents that work together.
    public static final String SWARM = "Swarm";
    /// Middlewares.
    public static final String EXTENSION = "Extension";
    /// What exports of one group have in common.
    public static final String TOOL_GROUP = "ToolGroup";
    /// Rules about who may call which tool.
    public static final String TOOL_POLICY = "ToolPolicy";
    /// What of results may be published.
    public static final String RESULT_GUARD = "ResultGuard";
    /// What a bundle is called and builds on.
    public static final String PACKAGE = "Package";
    /// A language model; the agent runtime's.
    public static final String MODEL = "Model";

    /// Where a tool gets access from, on behalf of people.
    public static final String OAUTH_APP = "OAuthApp";
    /// `apiVersion` of bundles that Goondan's users have.
    public static final String GOONDAN_V1 = "goondan.ai/v1";
    /// `apiVersion` of the fleet's own kinds.
    public static final String TOOLFLEET_V1 = "toolfleet.dev/v1";
    /// `apiVersion` of bundles from v0.8.
    public static final String V08 = "agents.example.io/v1alpha1";

    /// The kinds of `goondan.ai/v1`.
    public static final Set<String> GOONDAN = Set.of(MODEL, AGENT, SWARM, TOOL, EXTENSION, "Connector", "Connection",
            PACKAGE);
    /// The kinds that only `toolfleet.dev/v1` has.
    public static final Set<String> FLEET = Set.of(TOOL_GROUP, TOOL_POLICY, RESULT_GUARD, OAUTH_APP);
    /// The kinds that only v0.8 had.
    public static final Set<String> V08_ONLY = Set.of(OAUTH_APP, "ResourceType", "ExtensionHandler", "Bundle");
    /// The kinds that the fleet acts on, and that therefore travel; the others are the agent runtime's.
    public static final Set<String> PUBLISHED = Set.of(TOOL, AGENT, SWARM, EXTENSION, TOOL_GROUP, TOOL_POLICY,
            RESULT_GUARD, OAUTH_APP);

    private Kinds() {}

    /// Whether any API version knows the kind.
    public static boolean known(String kind) {
        return GOONDAN.contains(kind) || FLEET.contains(kind) || V08_ONLY.contains(kind);
    }
}
