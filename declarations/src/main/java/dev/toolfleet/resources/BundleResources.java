package dev.toolfleet.resources;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;

import dev.toolfleet.bundle.AgentSpec;
import dev.toolfleet.bundle.ContextPolicySpec;
import dev.toolfleet.bundle.EffectBudgetSpec;
import dev.toolfleet.bundle.InvalidResourceException;
import dev.toolfleet.bundle.Kinds;
import dev.toolfleet.bundle.OAuthAppSpec;
import dev.toolfleet.bundle.OperatorDenial;
import dev.toolfleet.bundle.PromptSectionSpec;
import dev.toolfleet.bundle.ResultGuardSpec;
import dev.toolfleet.bundle.SkillSpec;
import dev.toolfleet.bundle.ToolGroupSpec;
import dev.toolfleet.bundle.ToolPolicySpec;
import dev.toolfleet.bundle.ToolSpec;
import dev.toolfleet.wire.ResourceRecord;
import dev.toolfleet.wire.ToolRef;
import dev.toolfleet.wire.ToolSource;
import tools.jackson.databind.node.ObjectNode;

/// Whole revision of a bundle. Immutable, unless a caller changes the JSON inside.
public final class BundleResources {
    private final String name;
    private final long revision;
    private final Map<String, ResourceRecord> records;
    private final Map<String, AgentSpec> agents;
    private final Map<String, ToolSpec> tools;
    private final Map<String, DeclaredTool> declaredTools;
    private final Map<String, ToolRef> byFullName;
    private final Map<String, ToolGroupSpec> groups;
    private final Map<String, ToolPolicySpec> policies;
    private final Map<String, EffectBudgetSpec> budgets;
    private final Map<String, ResultGuardSpec> guards;
    private final Map<String, SkillSpec> skills;
    private final Map<String, ContextPolicySpec> contextPolicies;
    private final Map<String, PromptSectionSpec> promptSections;
    private final Map<String, OAuthAppSpec> oauthApps;
    private final Map<String, OperatorDenial> denials;
    private final List<String> problems;

    /// @param records by `Kind/name`
    BundleResources(String name, long revision, Map<String, ResourceRecord> records) {
        this.name = name;
        this.revision = revision;
        this.records = Collections.unmodifiableMap(new TreeMap<>(records));
        List<String> found = new ArrayList<>();
        this.promptSections = views(Kinds.PROMPT_SECTION, PromptSectionSpec::of, found);
        this.contextPolicies = views(Kinds.CONTEXT_POLICY, ContextPolicySpec::of, found);
        this.agents = agents(name, views(Kinds.AGENT, AgentSpec::of, found), contextPolicies);
        this.tools = views(Kinds.TOOL, ToolSpec::of, found);
        this.declaredTools = declaredTools();
        this.byFullName = byFullName(name, tools);
        this.groups = views(Kinds.TOOL_GROUP, ToolGroupSpec::of, found);
        this.policies = views(Kinds.TOOL_POLICY, ToolPolicySpec::of, found);
        this.budgets = views(Kinds.EFFECT_BUDGET, EffectBudgetSpec::of, found);
        this.guards = views(Kinds.RESULT_GUARD, ResultGuardSpec::of, found);
        this.skills = views(Kinds.SKILL, SkillSpec::of, found);
        this.oauthApps = views(Kinds.OAUTH_APP, OAuthAppSpec::of, found);
        this.denials = name.equals(OperatorDenial.BUNDLE)
                ? views(OperatorDenial.KIND, OperatorDenial::of, found)
                : Map.of();
        this.problems = List.copyOf(found);
    }

    private Map<String, DeclaredTool> declaredTools() {
        Map<String, DeclaredTool> declared = new HashMap<>();
        tools.forEach((tool, spec) -> declared.put(tool, new DeclaredTool(name, revision, spec,
                find(Kinds.TOOL, spec.name()).orElseThrow().files(), new ToolSource(ToolSource.CONFIG, spec.name()))));
        return Map.copyOf(declared);
    }

    /// The bundle's name.
    public String name() {
        return name;
    }

    /// Returns the revision.
    public long revision() {
        return revision;
    }

    /// Every resource by `Kind/name`, in the order of these.
    public Map<String, ResourceRecord> records() {
        return records;
    }

    /// The resource of that kind and name.
    public Optional<ResourceRecord> find(String kind, String name) {
        return Optional.ofNullable(records.get(kind + "/" + name));
    }

    /// The resources of a kind, in the order of their names.
    public List<ResourceRecord> ofKind(String kind) {
        return records.values().stream().filter(record -> ResourceKey.kind(record).equals(kind)).toList();
    }

    /// The Agents by name, without those that cannot be read, and with the agent that calls the summarisers of its
    /// ContextPolicies.
    public Map<String, AgentSpec> agents() {
        return agents;
    }

    /// The Tools by name, without those that cannot be read.
    public Map<String, ToolSpec> tools() {
        return tools;
    }

    /// The ToolGroups by name, without those that cannot be read.
    public Map<String, ToolGroupSpec> groups() {
        return groups;
    }

    /// The ToolPolicies by name, without those that cannot be read.
    public Map<String, ToolPolicySpec> policies() {
        return policies;
    }

    /// The EffectBudgets by name, without those that cannot be read.
    public Map<String, EffectBudgetSpec> budgets() {
        return budgets;
    }

    /// The ResultGuards by name, without those that cannot be read.
    public Map<String, ResultGuardSpec> guards() {
        return guards;
    }

    /// The Skills by name, without those that cannot be read.
    public Map<String, SkillSpec> skills() {
        return skills;
    }

    /// The ContextPolicies by name, without those that cannot be read.
    public Map<String, ContextPolicySpec> contextPolicies() {
        return contextPolicies;
    }

    /// The PromptSections by name, without those that cannot be read.
    public Map<String, PromptSectionSpec> promptSections() {
        return promptSections;
    }

    /// The OAuthApps by name, without those that cannot be read.
    public Map<String, OAuthAppSpec> oauthApps() {
        return oauthApps;
    }

    /// Returns operators' denials, by pattern, without those that cannot be read; ended ones too. None in a bundle.
    public Map<String, OperatorDenial> denials() {
        return denials;
    }

    /// True if it has a `ToolPolicy` or a `ToolGroup`, readable or not.
    public boolean declaresPolicy() {
        return !ofKind(Kinds.TOOL_POLICY).isEmpty() || !ofKind(Kinds.TOOL_GROUP).isEmpty();
    }

    /// True if it has a `ToolGroup`, or a `ToolPolicy` that is more than shadow rules, readable or not.
    public boolean enforcesPolicy() {
        return !ofKind(Kinds.TOOL_GROUP).isEmpty() || ofKind(Kinds.TOOL_POLICY).size() != policies.values().stream()
                .filter(ToolPolicySpec::isShadow).count();
    }

    /// Its Agent of that name.
    public Optional<AgentSpec> agent(String name) {
        return Optional.ofNullable(agents.get(name));
    }

    /// Its Tool of that name.
    public Optional<ToolSpec> tool(String name) {
        return Optional.ofNullable(tools.get(name));
    }

    /// Its Tool of that name, with the bundle.
    Optional<DeclaredTool> declaredTool(String name) {
        return Optional.ofNullable(declaredTools.get(name));
    }

    /// Returns its export that a model calls by that name; of several, that of the Tool whose name sorts first.
    public Optional<ToolRef> called(String fullName) {
        return Optional.ofNullable(byFullName.get(fullName));
    }

    /// Returns the problems of unreadable resources, one sentence each; for the log. A bundle that was validated before
    /// it was applied has none.
    public List<String> problems() {
        return problems;
    }

    private static Map<String, AgentSpec> agents(String bundle, Map<String, AgentSpec> declared,
            Map<String, ContextPolicySpec> policies) {
        Map<String, AgentSpec> agents = new TreeMap<>(declared);
        ContextPolicySpec.agent(bundle, policies.values()).ifPresent(agent -> agents.put(agent.name(), agent));
        return Collections.unmodifiableMap(agents);
    }

    private static Map<String, ToolRef> byFullName(String bundle, Map<String, ToolSpec> tools) {
        Map<String, ToolRef> names = new HashMap<>();
        tools.forEach((name, tool) -> tool.exports().stream().filter(export -> tool.nameProblem(export).isEmpty())
                .forEach(export -> names.putIfAbsent(tool.fullName(export),
                        new ToolRef(bundle, name, export.name()))));
        return Map.copyOf(names);
    }

    private <T> Map<String, T> views(String kind, Function<ObjectNode, T> read, List<String> found) {
        Map<String, T> views = new TreeMap<>();
        for (ResourceRecord record : ofKind(kind)) {
            try {
                views.put(ResourceKey.name(record), read.apply(record.resource()));
            } catch (InvalidResourceException e) {
                found.add(e.getMessage());
            }
        }
        return Collections.unmodifiableMap(views);
    }
}
