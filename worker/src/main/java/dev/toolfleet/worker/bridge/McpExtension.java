package dev.toolfleet.worker.bridge;

import java.util.ArrayList;
import java.util.List;

import dev.toolfleet.middleware.ExtensionModule;
import dev.toolfleet.middleware.ExtensionRegistrar;
import tools.jackson.databind.node.ObjectNode;

/// The built-in extension `mcp`: publishes the tools of the MCP servers in `config.servers`.
///
/// **Contract.** [#register] checks the configuration and returns at once; no server, however slow or broken, holds up
/// the worker.
public final class McpExtension implements ExtensionModule {
    private final ServerPool pool;
    private final BridgeConfig reader;
    private final List<Use> uses = new ArrayList<>();

    private record Use(ServerSettings settings, ServerLink link, BridgedTools tools) {}

    /// A module whose servers are those of the pool.
    public McpExtension(ServerPool pool) {
        this.pool = pool;
        this.reader = pool.reader();
    }

    @Override
    public synchronized void register(ExtensionRegistrar registrar, ObjectNode config) {
        List<ServerSettings> servers = reader.servers(config);
        if (!registrar.runsTools())
            return;
        for (ServerSettings settings : servers) {
            ServerLink link = pool.acquire(settings);
            BridgedTools tools = new BridgedTools(settings, link, pool.definitions(),
                    registrar.mcpTools(settings.name()), pool.workspace(),
                    settings.isOfInstance() ? pool.ofInstances(settings) : null);
            uses.add(new Use(settings, link, tools));
            link.add(tools);
        }
    }

    @Override
    public synchronized void close() {
        for (Use use : uses) {
            use.link().remove(use.tools());
            pool.release(use.settings());
        }
        uses.clear();
    }
}
