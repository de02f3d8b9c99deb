package dev.toolfleet.publishing.changeset;

import java.nio.file.Path;
import java.util.Optional;

import dev.toolfleet.config.Settings;
import dev.toolfleet.resources.ChangesetRules;
import dev.toolfleet.resources.FleetResources;
import dev.toolfleet.tool.ToolModule;
import dev.toolfleet.worker.runtime.builtin.BuiltinTool;
import dev.toolfleet.worker.tools.args.Ceiling;

/// Declares the Tool `swarm-bundle`. A worker puts its own module in place of this one's, which has no repository.
public final class SwarmBundleTool implements BuiltinTool {
    /// Name of the Tool.
    public static final String NAME = ChangesetRules.ENTRY.substring("builtin:".length());

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public ToolModule module(Path workspace) {
        return new SwarmBundleModule(Optional.empty(), () -> FleetResources.EMPTY);
    }

    @Override
    public Ceiling ceiling(Settings ceiling) {
        return new Ceiling.Reader(ceiling).read();
    }
}
