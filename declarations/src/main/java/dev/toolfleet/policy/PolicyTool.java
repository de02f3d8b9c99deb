package dev.toolfleet.policy;

import java.util.Optional;
import java.util.Set;

import dev.toolfleet.bundle.ToolExport;
import dev.toolfleet.bundle.ToolFlag;
import dev.toolfleet.resources.DeclaredTool;
import dev.toolfleet.resources.FleetResources;
import dev.toolfleet.wire.ToolCatalogItem;
import org.jspecify.annotations.Nullable;

import static java.util.Objects.requireNonNull;

/// Policy's view of a tool: all of it data of its declaration, nothing derived from its name.
///
/// @param name by which models call it
/// @param bundle that declares it
/// @param source config, extension or mcp
/// @param group the export's; null when it has none
/// @param flags of the export
/// @param entry the code behind it, as [dev.toolfleet.bundle.EntryKind#text()]; null when no declaration is found
public record PolicyTool(String name, String bundle, String source, @Nullable String group, Set<ToolFlag> flags,
        @Nullable String entry) {
    /// The flags of a tool without a declaration: its effects are unknown, so it requires approval unless a rule allows
    /// it, and may carry data out.
    private static final Set<ToolFlag> UNKNOWN = Set.of(ToolFlag.REQUIRES_APPROVAL, ToolFlag.SENDS);

    /// Copies the flags.
    public PolicyTool {
        requireNonNull(name, "name");
        requireNonNull(bundle, "bundle");
        requireNonNull(source, "source");
        flags = Set.copyOf(flags);
    }

    /// A declared export.
    public static PolicyTool of(DeclaredTool tool, ToolExport export, String name) {
        return new PolicyTool(name, tool.bundle(), tool.source().type(), export.policy().group().orElse(null),
                ToolFlag.of(export), tool.spec().entryKind().text());
    }

    /// Makes the view of a catalog item. Its group is that of its declaration, whatever a layer has made of the item.
    public static PolicyTool of(FleetResources resources, ToolCatalogItem item) {
        Optional<DeclaredTool> declared = resources.tool(item.tool());
        Optional<ToolExport> export = declared.flatMap(tool -> tool.export(item.tool().export()));
        String group = export.isEmpty() ? item.group() : export.get().policy().group().orElse(null);
        return new PolicyTool(item.name(), item.tool().bundle(), item.source().type(), group,
                export.map(ToolFlag::of).orElse(UNKNOWN),
                declared.map(tool -> tool.spec().entryKind().text()).orElse(null));
    }
}
