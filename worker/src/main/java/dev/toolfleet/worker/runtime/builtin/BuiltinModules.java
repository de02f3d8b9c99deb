package dev.toolfleet.worker.runtime.builtin;

import java.util.Map;
import java.util.function.Supplier;

import dev.toolfleet.tool.ToolModule;
import dev.toolfleet.worker.sandbox.Sandbox;
import dev.toolfleet.worker.tools.agents.AgentsModule;
import dev.toolfleet.worker.tools.bash.BashModule;
import dev.toolfleet.worker.tools.filesystem.FileSystemModule;
import dev.toolfleet.worker.tools.httpfetch.HttpFetchModule;
import dev.toolfleet.worker.tools.jsonquery.JsonQueryModule;
import dev.toolfleet.worker.tools.selfrestart.Restarts;
import dev.toolfleet.worker.tools.selfrestart.SelfRestartModule;
import dev.toolfleet.worker.tools.texttransform.TextTransformModule;
import dev.toolfleet.worker.tools.toolsearch.ToolSearchModule;
import dev.toolfleet.worker.tools.toolsearch.ToolSearchModule.Searchable;
import dev.toolfleet.worker.tools.wait.WaitModule;

/// The Tools that ship with the fleet, by the name in their entry, `builtin:NAME`.
public final class BuiltinModules {
    private BuiltinModules() {}

    /// What makes a new module of each.
    ///
    /// @param searchable what `tool-search` searches
    /// @param restarts what `self-restart` asks
    /// @param sandbox where programs run
    public static Map<String, Supplier<ToolModule>> tools(Searchable searchable, Restarts restarts, Sandbox sandbox) {
        return Map.of("agents", AgentsModule::new, "bash", () -> new BashModule(sandbox), "file-system",
                FileSystemModule::new, "http-fetch",
                HttpFetchModule::new, "json-query", JsonQueryModule::new, "self-restart",
                () -> new SelfRestartModule(restarts), "text-transform", TextTransformModule::new, "tool-search",
                () -> new ToolSearchModule(searchable), "wait", WaitModule::new);
    }
}
