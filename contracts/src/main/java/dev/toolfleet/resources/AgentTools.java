package dev.toolfleet.resources;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import dev.toolfleet.bundle.Ref;
import dev.toolfleet.bundle.ToolExport;
import dev.toolfleet.wire.ToolCatalogItem;
import dev.toolfleet.wire.ToolRef;
import dev.toolfleet.wire.ToolSource;

/// The first source of a catalog: the exports of what `Agent.spec.tools`
/// lists. Pure.
public final class AgentTools {
    private AgentTools() {}

    /// The tools that an agent lists, in that order: a tool listed twice keeps its
    /// first place and shows its last content.
    /// Tools that no worker can run are left out, and so is what cannot be found.
    /// Empty for an unknown agent.
    public static List<ToolCatalogItem> items(FleetResources resources, String agent) {
        Map<String, ToolCatalogItem> items = new LinkedHashMap<>();
        resources.agent(agent).ifPresent(declared -> {
            for (Ref ref : declared.spec().tools()) {
                resources.tool(declared.bundle(), ref).filter(tool -> tool.spec().runnable()).ifPresent(tool -> {
                    for (ToolExport export : tool.spec().exports()) {
                        String name = tool.spec().fullName(export).toString();
                        items.put(name, item(tool, export, name));
                    }
                });
            }
        });
        return new ArrayList<>(items.values());
    }

    /// One export as a catalog shows it.
    public static ToolCatalogItem item(DeclaredTool tool, ToolExport export, String name) {
        return new ToolCatalogItem(name, export.description(), export.parameters(),
                new ToolSource(ToolSource.CONFIG, tool.spec().name()),
                new ToolRef(tool.bundle(), tool.spec().name(), export.name()),
                export.policy().group().orElse(null));
    }
}
