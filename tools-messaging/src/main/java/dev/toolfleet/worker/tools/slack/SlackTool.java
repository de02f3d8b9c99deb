package dev.toolfleet.worker.tools.slack;

import java.nio.file.Path;

import dev.toolfleet.config.Settings;
import dev.toolfleet.tool.ToolModule;
import dev.toolfleet.worker.runtime.builtin.BuiltinTool;
import dev.toolfleet.worker.tools.args.Ceiling;

/// `builtin:slack`.
public final class SlackTool implements BuiltinTool {
    /// For the service loader.
    public SlackTool() {}

    @Override
    public String name() {
        return "slack";
    }

    @Override
    public ToolModule module(Path workspace) {
        return new SlackModule(workspace);
    }

    @Override
    public Ceiling ceiling(Settings ceiling) {
        return SlackModule.ceiling(ceiling);
    }
}
