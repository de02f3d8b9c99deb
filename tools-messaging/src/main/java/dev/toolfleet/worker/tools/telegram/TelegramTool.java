package dev.toolfleet.worker.tools.telegram;

import java.nio.file.Path;

import dev.toolfleet.config.Settings;
import dev.toolfleet.tool.ToolModule;
import dev.toolfleet.worker.runtime.builtin.BuiltinTool;
import dev.toolfleet.worker.tools.args.Ceiling;

/// `builtin:telegram`.
public final class TelegramTool implements BuiltinTool {
    /// For the service loader.
    public TelegramTool() {}

    @Override
    public String name() {
        return "telegram";
    }

    @Override
    public ToolModule module(Path workspace) {
        return new TelegramModule(workspace);
    }

    @Override
    public Ceiling ceiling(Settings ceiling) {
        return TelegramModule.ceiling(ceiling);
    }
}
