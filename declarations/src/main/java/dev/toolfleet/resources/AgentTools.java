package dev.toolfleet.resources;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import dev.toolfleet.bundle.Ref;
import dev.toolfleet.bundle.ToolExport;
import dev.toolfleet.bundle.ValueSchema;
import dev.toolfleet.wire.ToolCatalogItem;
import dev.toolfleet.wire.ToolRef;

/// Sources of a catalog, in this order: the exports of `Agent.spec.tools`; the tools registered by the agent's
/// extensions, in the order of its list, and by those of the whole fleet; then the tools registered for MCP servers, in
/// the same order. A Tool that is listed twice shows the later one's exports at the earlier one's place.
///
/// A name belongs to the first source that has it; another source's claim to it is rejected, with a problem. A
/// reference without target, a name that no model could call, and a name that another tool of the agent has are left
/// out with a problem. (The last is possible only with names of v0.8, which do not begin with their Tool's.) Tools that
/// no worker can run are left out silently, since `validate` has reported them, and those of [ChangesetRules#ENTRY] where
/// no Swarm enables changesets.
///
/// @param bundle the agent's bundle; empty when no bundle declares the agent
/// @param revision that bundle's; 0 when no bundle declares the agent
/// @param problems one sentence each, for the log
public record AgentTools(String bundle, long revision, List<ToolCatalogItem> items, List<String> problems) {
    /// Copies the lists.
    public AgentTools {
        items = List.copyOf(items);
        problems = List.copyOf(problems);
    }

    /// Returns the tools of the agent of that name; none when no bundle declares it. Expired registrations count too:
    /// [FleetResources#live] removes them. [FleetResources#agent(String)] has the rule for an agent of several bundles.
    public static AgentTools of(FleetResources resources, String agentName) {
        List<String> problems = new ArrayList<>();
        Optional<DeclaredAgent> declared = resources.agent(agentName);
        if (declared.isEmpty()) {
            problems.add("no bundle declares this Agent, so it has no tools; apply the bundle that does");
            return new AgentTools("", 0, List.of(), problems);
        }
        DeclaredAgent agent = declared.get();
        if (!agent.alsoIn().isEmpty()) {
            problems.add("the Agent is declared by " + agent.bundle() + " and also by "
                    + String.join(", ", agent.alsoIn()) + ", which do not count; give them different names");
        }
        List<ToolCatalogItem> items = new ArrayList<>();
        Set<String> names = new HashSet<>();
        boolean changesets = ChangesetRules.of(resources, agentName).enabled();
        listed(resources, agent, problems).values().stream()
                .filter(tool -> changesets || !tool.spec().entryKind().text().equals(ChangesetRules.ENTRY))
                .forEach(tool -> show(tool, names, items, problems));
        RegisteredItems.add(resources, agent, items, problems);
        return new AgentTools(agent.bundle(), agent.revision(), items, problems);
    }

    /// The items alone.
    public static List<ToolCatalogItem> items(FleetResources resources, String agentName) {
        return of(resources, agentName).items();
    }

    /// Returns the agent's Tool with an export of that name and an entry that no worker can run; empty for none.
    public static Optional<DeclaredTool> notRunnable(FleetResources resources, String agentName, String name) {
        return resources.agent(agentName).stream()
                .flatMap(agent -> listed(resources, agent, new ArrayList<>()).values().stream())
                .filter(tool -> !tool.spec().runnable() && tool.spec().exports().stream()
                        .anyMatch(export -> tool.spec().fullName(export).equals(name)))
                .findFirst();
    }

    /// Returns one export as a catalog item.
    ///
    /// @param name by which a model calls it
    public static ToolCatalogItem item(DeclaredTool tool, ToolExport export, String name) {
        return new ToolCatalogItem(name, export.description().isEmpty() ? null : export.description(),
                export.parameters(), tool.source(),
                new ToolRef(tool.bundle(), tool.spec().name(), export.name()), export.policy().group().orElse(null),
                export.output().map(ValueSchema::schema).orElse(null));
    }

    /// Returns the listed Tools by name: a map keeps the first place and the last content.
    private static Map<String, DeclaredTool> listed(FleetResources resources, DeclaredAgent agent,
            List<String> problems) {
        Map<String, DeclaredTool> tools = new LinkedHashMap<>();
        for (Ref ref : agent.spec().tools()) {
            resources.tool(agent.bundle(), ref).ifPresentOrElse(tool -> tools.put(ref.name(), tool),
                    () -> problems.add("spec.tools of bundle " + agent.bundle() + " lists " + ref
                            + ", which is no Tool of the bundles that were applied"));
        }
        return tools;
    }

    private static void show(DeclaredTool tool, Set<String> names, List<ToolCatalogItem> items,
            List<String> problems) {
        if (!tool.spec().runnable())
            return;
        for (ToolExport export : tool.spec().exports()) {
            Optional<String> problem = tool.spec().nameProblem(export)
                    .or(() -> names.add(tool.spec().fullName(export))
                            ? Optional.empty()
                            : Optional.of("an earlier tool of the agent has, which stays; rename one of them"));
            problem.ifPresentOrElse(
                    what -> problems.add("export " + export.name() + " of Tool " + tool.spec().name() + " in "
                            + tool.bundle() + " has a name that " + what),
                    () -> items.add(item(tool, export, tool.spec().fullName(export))));
        }
    }
}
