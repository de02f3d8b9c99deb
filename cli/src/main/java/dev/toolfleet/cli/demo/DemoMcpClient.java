package dev.toolfleet.cli.demo;

import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.stream.Collectors;

import dev.toolfleet.cli.terminal.Failure;
import dev.toolfleet.mcp.client.ClientSettings;
import dev.toolfleet.mcp.client.McpClient;
import dev.toolfleet.mcp.client.McpException;
import dev.toolfleet.mcp.client.ProgressListener;
import dev.toolfleet.mcp.client.ServerListener;
import dev.toolfleet.mcp.client.ServerOutcome;
import dev.toolfleet.mcp.client.ToolList;
import dev.toolfleet.mcp.client.ToolRequest;
import dev.toolfleet.mcp.protocol.ContentBlock;
import dev.toolfleet.mcp.protocol.McpReply;
import dev.toolfleet.mcp.protocol.PeerInfo;
import dev.toolfleet.mcp.transport.HttpEndpoint;
import tools.jackson.databind.node.ObjectNode;

/// MCP client of the demo's gateway. Used by one thread.
final class DemoMcpClient implements AutoCloseable {
    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final Duration BETWEEN = Duration.ofMillis(200);

    private final McpClient client;

    private DemoMcpClient(McpClient client) {
        this.client = client;
    }

    /// @param gateway its address
    static DemoMcpClient open(String gateway) throws InterruptedException {
        URI uri = URI.create(gateway + "/mcp/instances/" + DemoScenario.INSTANCE + "/agents/" + DemoScenario.AGENT);
        try {
            return new DemoMcpClient(McpClient.overHttp(HttpEndpoint.of(uri, Map.of()),
                    ClientSettings.of(new PeerInfo("toolfleet-demo", "1")), ServerListener.NONE));
        } catch (McpException e) {
            throw Failure.failed("no MCP at " + uri + ": " + e.getMessage(), e);
        }
    }

    String revision() {
        return client.server().revision().text();
    }

    /// Reads the list until it has a tool, for nothing waits for an MCP server to start.
    ///
    /// @return the number of tools
    int listed(String tool) throws InterruptedException {
        long end = System.nanoTime() + TIMEOUT.toNanos();
        try {
            while (true) {
                ToolList list = client.tools();
                if (list.tools().stream().anyMatch(each -> each.name().equals(tool)))
                    return list.tools().size();
                if (System.nanoTime() - end >= 0)
                    throw Failure.failed("the gateway lists no tool " + tool + " after " + TIMEOUT.toSeconds() + " s");
                Thread.sleep(BETWEEN);
            }
        } catch (McpException e) {
            throw Failure.failed("the list of tools cannot be read: " + e.getMessage(), e);
        }
    }

    /// Calls, and waits for the answer.
    McpReply call(String tool, ObjectNode args) throws InterruptedException {
        ServerOutcome outcome = client.call(ToolRequest.of(tool, args), ProgressListener.NONE).await(TIMEOUT);
        if (outcome instanceof ServerOutcome.Done(McpReply reply))
            return reply;
        throw Failure.failed("the MCP call of " + tool + " has no answer: " + outcome);
    }

    /// Returns the text of an answer.
    static String text(McpReply reply) {
        return reply.blocks().stream().filter(ContentBlock.Text.class::isInstance)
                .map(block -> ((ContentBlock.Text) block).text()).collect(Collectors.joining(" "));
    }

    @Override
    public void close() {
        client.close();
    }
}
