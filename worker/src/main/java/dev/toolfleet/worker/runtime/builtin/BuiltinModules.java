package dev.toolfleet.worker.runtime.builtin;

import java.nio.file.Path;
import java.util.Map;
import java.util.function.Supplier;

import dev.toolfleet.tool.ToolModule;
import dev.toolfleet.worker.egress.EgressList;
import dev.toolfleet.worker.sandbox.Sandbox;
import dev.toolfleet.worker.tools.agents.AgentsModule;
import dev.toolfleet.worker.tools.bash.BashModule;
import dev.toolfleet.worker.tools.filesystem.FileSystemModule;
import dev.toolfleet.worker.tools.httpfetch.HttpFetchModule;
import dev.toolfleet.worker.tools.jsonquery.JsonQueryModule;
import dev.toolfleet.worker.tools.selfrestart.Restarts;
import dev.toolfleet.worker.tools.selfrestart.SelfRestartModule;
import dev.toolfleet.worker.tools.slack.SlackModule;
import dev.toolfleet.worker.tools.telegram.TelegramModule;
import dev.toolfleet.worker.tools.texttransform.TextTransformModule;
import dev.toolfleet.worker.tools.toolsearch.ToolSearchModule;
import dev.toolfleet.worker.tools.toolsearch.ToolSearchModule.Searchable;
import dev.toolfleet.worker.tools.wait.WaitModule;

/// The Tools that ship with the fleet, by the name in their entry, `builtin:NAME`.
public final class BuiltinModules {
    private BuiltinModules() {}

    /// Returns the factory of each module.
    ///
    /// @param searchable the tools that `tool-search` covers
    /// @param restarts the restart for `self-restart`
    /// @param sandbox for programs
    /// @param workspace the root of the instances' folders
    /// @param egress the hosts that `http-fetch` may reach
    public static Map<String, Supplier<ToolModule>> tools(Searchable searchable, Restarts restarts, Sandbox sandbox,
            Path workspace, EgressList egress) {
        return Map.ofEntries(Map.entry("agents", AgentsModule::new),
                Map.entry("bash", () -> new BashModule(sandbox, workspace)),
                Map.entry("file-system", () -> new FileSystemModule(workspace)),
                Map.entry("http-fetch", () -> new HttpFetchModule(egress)),
                Map.entry("json-query", JsonQueryModule::new),
                Map.entry("self-restart", () -> new SelfRestartModule(restarts)),
                Map.entry("slack", () -> new SlackModule(workspace)),
                Map.entry("telegram", () -> new TelegramModule(workspace)),
                Map.entry("text-transform", TextTransformModule::new),
                Map.entry("tool-search", () -> new ToolSearchModule(searchable)), Map.entry("wait", WaitModule::new));
    }
}
