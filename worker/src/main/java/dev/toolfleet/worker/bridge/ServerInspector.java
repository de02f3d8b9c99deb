package dev.toolfleet.worker.bridge;

import java.io.IOException;
import java.util.List;

import dev.toolfleet.mcp.client.McpClient;
import dev.toolfleet.mcp.client.McpException;
import dev.toolfleet.mcp.client.ServerDescription;
import dev.toolfleet.mcp.client.ServerListener;
import dev.toolfleet.mcp.client.ToolList;
import dev.toolfleet.mcp.protocol.PeerInfo;
import dev.toolfleet.worker.egress.EgressList;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/// Inspector of MCP servers for commands. It connects as a worker does, and lists the tools.
///
/// **Contract.** No tool is called. When a method returns, no connection and no process is left.
///
/// **Threads.** Any.
public final class ServerInspector {
    private final ServerPool pool;

    /// @param host the surroundings that a worker has
    public ServerInspector(ServerPool.Host host) {
        this.pool = new ServerPool(host);
    }

    /// Checks a configuration. Variables of the environment count as set, and all hosts as allowed.
    ///
    /// @param config the configuration of the extension
    /// @throws IllegalArgumentException naming the setting that cannot be used
    public static void check(ObjectNode config) {
        new BridgeConfig(variable -> "set", EgressList.ALL).servers(config);
    }

    /// Description that a server gives of itself, and the decisions about its tools.
    ///
    /// @param title its name and version, for people; empty if it does not state them
    /// @param revision the revision that the conversation used
    /// @param tools the decisions, in the server's order
    public record Report(String title, String revision, List<ToolChoice> tools) {
        /// Copies the list.
        public Report {
            tools = List.copyOf(tools);
        }
    }

    /// Returns the names of the servers that are not disabled.
    ///
    /// @param config the configuration of the extension
    /// @throws IllegalArgumentException naming the setting that cannot be used
    public List<String> servers(ObjectNode config) {
        return pool.reader().servers(config).stream().map(ServerSettings::name).toList();
    }

    /// Connects to a server, reads its tools and closes the connection.
    ///
    /// @param config the configuration of the extension
    /// @param name one of [#servers]
    /// @throws IOException if a program does not start
    /// @throws McpException if no conversation comes about
    /// @throws IllegalArgumentException naming the setting that cannot be used
    public Report inspect(ObjectNode config, String name) throws IOException, McpException, InterruptedException {
        ServerSettings settings = pool.reader().servers(config).stream().filter(each -> each.name().equals(name))
                .findFirst().orElseThrow();
        try (OpenServer server = pool.connector(name, settings.address()).open(ServerListener.NONE)) {
            McpClient client = server.client();
            ToolList list = client.tools();
            ServerDescription described = client.server();
            return new Report(title(described.info()), described.revision().text(),
                    ToolChoice.of(list, settings, (tool, digest) -> digest));
        }
    }

    private static String title(@Nullable PeerInfo info) {
        return info == null ? "" : (info.name() + " " + info.version()).strip();
    }
}
