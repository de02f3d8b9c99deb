package dev.toolfleet.worker.bridge;

import java.io.IOException;
import java.time.Duration;

import dev.toolfleet.mcp.client.ClientSettings;
import dev.toolfleet.mcp.client.EraChoice;
import dev.toolfleet.mcp.client.McpClient;
import dev.toolfleet.mcp.client.McpException;
import dev.toolfleet.mcp.client.ServerListener;
import dev.toolfleet.mcp.protocol.PeerInfo;
import dev.toolfleet.mcp.transport.HttpEndpoint;

/// Opener of connections to one server.
///
/// **Threads.** That of the [ServerLink].
interface Connector {
    /// Opens a connection, and starts the program if there is one.
    ///
    /// @throws IOException if the program does not start
    /// @throws McpException if no conversation comes about
    OpenServer open(ServerListener listener) throws IOException, McpException, InterruptedException;

    /// Settings of the worker's conversations.
    ///
    /// @param era the era in which the last one succeeded
    static ClientSettings settings(EraChoice era, Duration startTimeout) {
        ClientSettings settings = ClientSettings.of(new PeerInfo("toolfleet-worker", "0.1.0")).in(era);
        return settings.waiting(settings.probeTimeout(), startTimeout);
    }

    /// Opener over HTTP. The era of the last success spares the next opening a probe.
    static Connector web(ServerAddress.Web address) {
        EraMemory memory = new EraMemory();
        return listener -> memory.open(era -> {
            McpClient client = McpClient.overHttp(HttpEndpoint.of(address.url(), address.headers()),
                    settings(era, address.startTimeout()), listener);
            return new WebServer(client);
        });
    }

    /// Server that runs elsewhere.
    record WebServer(McpClient client) implements OpenServer {
        @Override
        public boolean isProgram() {
            return false;
        }

        @Override
        public String lastWords() {
            return "";
        }

        @Override
        public void look() {
            // Its processes are not the worker's.
        }

        @Override
        public void close() {
            client.close();
        }
    }
}
