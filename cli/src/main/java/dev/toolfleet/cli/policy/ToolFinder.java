package dev.toolfleet.cli.policy;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

import dev.toolfleet.bundle.ToolExport;
import dev.toolfleet.cli.terminal.Failure;
import dev.toolfleet.policy.PolicyTool;
import dev.toolfleet.resources.AgentTools;
import dev.toolfleet.resources.DeclaredTool;
import dev.toolfleet.resources.FleetResources;
import dev.toolfleet.resources.Registration;
import dev.toolfleet.wire.ToolCatalogItem;
import org.jspecify.annotations.Nullable;

/// The tool that a person means by a full name.
///
/// @param listed whether the agent that was named lists it; without an agent, whether it exists
public record ToolFinder(PolicyTool tool, boolean listed) {
    private static final int MOST_NAMES = 12;

    /// The agent's tool of that name, else the only one in the fleet, registered ones too.
    ///
    /// @param resources as they are live
    /// @throws Failure when there is none, or several
    static ToolFinder of(FleetResources resources, String name, @Nullable String agent) {
        if (agent != null) {
            Optional<ToolCatalogItem> item = AgentTools.items(resources, agent).stream()
                    .filter(listed -> listed.name().equals(name)).findFirst();
            if (item.isPresent())
                return new ToolFinder(PolicyTool.of(resources, item.get()), true);
        }
        List<PolicyTool> found = named(resources, name).stream().map(NamedExport::tool).toList();
        if (found.isEmpty())
            throw Failure.invalid("no bundle, extension or MCP server has a tool called '" + name + "'; "
                    + someNames(resources));
        if (found.size() > 1)
            throw Failure.invalid("several have a tool called " + name + ": "
                    + String.join(", ", found.stream().map(PolicyTool::bundle).toList())
                    + "; name an agent that lists the one you mean with --agent");
        return new ToolFinder(found.getFirst(), agent == null);
    }

    /// An export by a full name.
    ///
    /// @param tool as policy sees it
    public record NamedExport(PolicyTool tool, ToolExport export) {
        private static NamedExport of(DeclaredTool tool, ToolExport export, String name) {
            return new NamedExport(PolicyTool.of(tool, export, name), export);
        }
    }

    /// Returns all exports of that name, by their bundles; registered ones last.
    ///
    /// @param resources as they are live
    public static List<NamedExport> named(FleetResources resources, String name) {
        List<NamedExport> found = new ArrayList<>();
        resources.bundles().keySet().forEach(bundle -> declared(resources, bundle, name).ifPresent(found::add));
        resources.registrations().values().forEach(owner -> registered(owner, name).ifPresent(found::add));
        return found;
    }

    private static Optional<NamedExport> declared(FleetResources resources, String bundle, String name) {
        return resources.bundle(bundle).flatMap(in -> in.called(name)).flatMap(ref -> resources.tool(ref)
                .flatMap(tool -> tool.export(ref.export()).map(export -> NamedExport.of(tool, export, name))));
    }

    private static Optional<NamedExport> registered(Registration owner, String name) {
        return owner.called(name).flatMap(ref -> owner.tool(ref.tool(), ref.export()).flatMap(tool -> tool
                .export(ref.export()).map(export -> NamedExport.of(tool, export, name))));
    }

    private static String someNames(FleetResources resources) {
        Set<String> names = new TreeSet<>();
        KnownTool.all(resources).forEach(tool -> names.add(tool.name()));
        String shown = String.join(", ", names.stream().limit(MOST_NAMES).toList());
        return names.isEmpty()
                ? "no bundle with Tools is applied, and none is registered"
                : "there is: " + shown + (names.size() > MOST_NAMES ? ", …" : "");
    }
}
