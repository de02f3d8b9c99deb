package dev.toolfleet.mcp.client;

import java.io.InputStream;
import java.io.OutputStream;

import dev.toolfleet.mcp.protocol.TaskSnapshot;
import dev.toolfleet.mcp.rpc.RpcCodec;
import dev.toolfleet.mcp.transport.HttpChannel;
import dev.toolfleet.mcp.transport.HttpEndpoint;
import dev.toolfleet.mcp.transport.LegacyHttp;
import dev.toolfleet.mcp.transport.ModernHttp;
import dev.toolfleet.mcp.transport.StdioTransport;
import dev.toolfleet.mcp.transport.Transport;
import tools.jackson.databind.node.ObjectNode;

/// Client of one MCP server, of either era.
///
/// **Contract.** No call of a tool is sent twice (but see [ServerCall]). Each wait has an end. After the end of the
/// connection every request ends at once; open another client then.
///
/// **Threads.** Any. Methods wait on the caller's thread.
public final class McpClient implements AutoCloseable {
    private final Peer peer;
    private final Era era;
    private final ClientSettings settings;
    private final ToolHeaders tools;

    private McpClient(EraProbe.Found found, ClientSettings settings) {
        this.peer = found.peer();
        this.era = found.era();
        this.settings = settings;
        this.tools = new ToolHeaders(peer, era, settings.requestTimeout());
        era.listen();
    }

    /// Opens a conversation over the streams of a process, which the caller starts and ends. Closing the client closes
    /// the process's input.
    ///
    /// @param from the process's standard output
    /// @param to the process's standard input
    public static McpClient overStdio(InputStream from, OutputStream to, ClientSettings settings,
            ServerListener listener) throws McpException, InterruptedException {
        Transport transport = new StdioTransport(from, to, new RpcCodec(settings.limits()));
        Peer peer = Peer.over(transport, listener);
        return open(new EraProbe(settings, listener, () -> peer, () -> peer), settings, transport);
    }

    /// Opens a conversation over HTTP.
    public static McpClient overHttp(HttpEndpoint endpoint, ClientSettings settings, ServerListener listener)
            throws McpException, InterruptedException {
        HttpChannel channel = new HttpChannel(endpoint, new RpcCodec(settings.limits()));
        return open(new EraProbe(settings, listener, () -> Peer.over(new ModernHttp(channel), listener),
                () -> Peer.over(new LegacyHttp(channel), listener)), settings, channel);
    }

    private static McpClient open(EraProbe probe, ClientSettings settings, AutoCloseable connection)
            throws McpException, InterruptedException {
        boolean opened = false;
        try {
            McpClient client = new McpClient(probe.find(), settings);
            opened = true;
            return client;
        } finally {
            if (!opened)
                close(connection);
        }
    }

    private static void close(AutoCloseable connection) {
        try {
            connection.close();
        } catch (Exception e) {
            throw new IllegalStateException("a transport closes without an exception", e);
        }
    }

    /// Returns the server's description of itself.
    public ServerDescription server() {
        return era.server();
    }

    /// False once the connection has ended.
    public boolean isOpen() {
        return peer.isOpen();
    }

    /// Reads the list of tools, all pages.
    public ToolList tools() throws McpException, InterruptedException {
        return tools.read();
    }

    /// Begins a call. Read [#tools] once before: the headers of some tools come from there.
    public ServerCall call(ToolRequest request, ProgressListener progress) {
        return new ServerCall(peer, era, tools, request, progress);
    }

    /// Reads a task, with its result if it has ended.
    public TaskSnapshot task(String taskId) throws McpException, InterruptedException {
        return era.readTask(taskId, settings.requestTimeout());
    }

    /// Answers questions of a task.
    public void updateTask(String taskId, ObjectNode answers) throws McpException, InterruptedException {
        era.updateTask(taskId, answers, settings.requestTimeout());
    }

    /// Wishes the end of a task. It may end otherwise all the same.
    public void cancelTask(String taskId) throws McpException, InterruptedException {
        era.cancelTask(taskId, settings.requestTimeout());
    }

    /// Ends the connection. The listener is not called for it.
    @Override
    public void close() {
        era.stop();
        peer.close();
    }
}
