package dev.toolfleet.catalog.assemble;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import dev.toolfleet.bundle.Ref;
import dev.toolfleet.bundle.ToolExport;
import dev.toolfleet.bundle.ToolName;
import dev.toolfleet.resources.DeclaredAgent;
import dev.toolfleet.resources.DeclaredTool;
import dev.toolfleet.resources.FleetResources;
import dev.toolfleet.wire.ToolCatalogItem;
import dev.toolfleet.wire.ToolRef;
import dev.toolfleet.wire.ToolSource;

/// Makes the catalog of an agent from the bundles: the exports of
/// `Agent.spec.tools`, in order. A Tool that is listed twice shows the later
/// one's exports at the earlier one's place.
///
/// A step names its agent and no bundle. When several bundles declare the agent,
/// the one whose name sorts first counts, with a problem that names the others.
/// An agent that nobody declares gets an empty catalog. What cannot be shown is
/// left out with a problem: a reference without target, a name that no model
/// could call. Tools whose entry is a script are left out silently, as there is
/// no host for them yet and `validate` has said so.
public final class CatalogAssembly {
    private final FleetResources resources;
    private final List<String> problems = new ArrayList<>();

    private CatalogAssembly(FleetResources resources) {
        this.resources = resources;
    }

    /// The catalog of the agent of that name.
    public static AgentCatalog of(FleetResources resources, String agentName) {
        return new CatalogAssembly(resources).assemble(agentName);
    }

    private AgentCatalog assemble(String agentName) {
        Optional<DeclaredAgent> declared = resources.agent(agentName);
        if (declared.isEmpty()) {
            problems.add("no bundle declares this Agent, so its catalog is empty; apply the bundle that does");
            return AgentCatalog.empty("", 0, problems);
        }
        DeclaredAgent agent = declared.get();
        if (!agent.alsoIn().isEmpty()) {
            problems.add("the Agent is declared by " + agent.bundle() + " and also by "
                    + String.join(", ", agent.alsoIn()) + ", which do not count; give them different names");
        }
        List<ToolCatalogItem> items = new ArrayList<>();
        tools(agent).values().forEach(tool -> items.addAll(items(tool)));
        AgentCatalog catalog = AgentCatalog.of(agent.bundle(), agent.revision(), items, problems);
        int bytes = catalog.contentBytes().length;
        if (bytes <= AgentCatalog.MAX_CONTENT_BYTES)
            return catalog;
        problems.add("the catalog has " + bytes + " bytes and may have " + AgentCatalog.MAX_CONTENT_BYTES
                + ", so it is empty; list fewer tools or shorten their schemas");
        return AgentCatalog.empty(agent.bundle(), agent.revision(), problems);
    }

    /// By name: a map keeps the first place and the last content.
    private Map<String, DeclaredTool> tools(DeclaredAgent agent) {
        Map<String, DeclaredTool> tools = new LinkedHashMap<>();
        for (Ref ref : agent.spec().tools()) {
            resources.tool(agent.bundle(), ref).ifPresentOrElse(tool -> tools.put(ref.name(), tool),
                    () -> problems.add("spec.tools of bundle " + agent.bundle() + " lists " + ref
                            + ", which is no Tool of the bundles that were applied"));
        }
        return tools;
    }

    private List<ToolCatalogItem> items(DeclaredTool tool) {
        if (!tool.spec().runnable())
            return List.of();
        List<ToolCatalogItem> items = new ArrayList<>();
        for (ToolExport export : tool.spec().exports()) {
            Optional<String> problem = ToolName.partProblem(tool.spec().name())
                    .or(() -> ToolName.partProblem(export.name()));
            if (problem.isPresent()) {
                problems.add("export " + export.name() + " of Tool " + tool.spec().name() + " in " + tool.bundle()
                        + " has a name that " + problem.get());
            } else {
                items.add(item(tool, export));
            }
        }
        return items;
    }

    private static ToolCatalogItem item(DeclaredTool tool, ToolExport export) {
        String name = tool.spec().name();
        return new ToolCatalogItem(tool.spec().fullName(export).toString(),
                export.description().isEmpty() ? null : export.description(), export.parameters(),
                new ToolSource(ToolSource.CONFIG, name), new ToolRef(tool.bundle(), name, export.name()),
                export.policy().group().orElse(null));
    }
}
