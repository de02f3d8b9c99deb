package dev.toolfleet.worker.runtime.builtin;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
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
        Map<String, Supplier<ToolModule>> tools = new HashMap<>();
        tools.put("agents", AgentsModule::new);
        tools.put("bash", () -> new BashModule(sandbox, workspace));
        tools.put("file-system", () -> new FileSystemModule(workspace));
        tools.put("http-fetch", () -> new HttpFetchModule(egress));
        tools.put("json-query", JsonQueryModule::new);
        tools.put("self-restart", () -> new SelfRestartModule(restarts));
        tools.put("text-transform", TextTransformModule::new);
        tools.put("tool-search", () -> new ToolSearchModule(searchable));
        tools.put("wait", WaitModule::new);
        optional().forEach(tool -> tools.put(tool.name(), () -> tool.module(workspace)));
        return Map.copyOf(tools);
    }

    /// Tools of the optional modules that are on the class path.
    static List<BuiltinTool> optional() {
        return ServiceLoader.load(BuiltinTool.class, BuiltinTool.class.getClassLoader()).stream()
                .map(ServiceLoader.Provider::get).toList();
    }
}
