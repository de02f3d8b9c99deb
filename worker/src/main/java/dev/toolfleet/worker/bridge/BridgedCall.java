package dev.toolfleet.worker.bridge;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;

import dev.toolfleet.mcp.client.ServerCall;
import dev.toolfleet.mcp.client.ServerOutcome;
import dev.toolfleet.mcp.client.ServerProgress;
import dev.toolfleet.mcp.client.ToolRequest;
import dev.toolfleet.mcp.protocol.McpReply;
import dev.toolfleet.mcp.protocol.TaskSnapshot;
import dev.toolfleet.mcp.rpc.McpJson;
import dev.toolfleet.tool.ToolContext;
import dev.toolfleet.tool.ToolHandler;
import dev.toolfleet.tool.ToolOutput;
import dev.toolfleet.worker.tools.args.WorkPaths;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/// Handler of a server's tool.
///
/// **Contract.** A request that did not leave is made again, on the next connection if need be, until the deadline. One
/// that left and has no answer is made again, once, only if the operator declares the tool readOnly or idempotent;
/// else the call ends with `E_TOOL_OUTCOME_UNKNOWN`. An interrupt cancels the request at the server.
///
/// @param server its name, for messages
/// @param tool the server's name of the tool
/// @param repeatable true if a second run does no harm
/// @param mayBeTask true if the server may answer with a task, which makes the call pending
/// @param files takes large blocks of answers
/// @param instances the processes of single instances; null if all share that of the link
/// @param users tokens of the people for whom calls act; null if calls act for no person
record BridgedCall(ServerLink link, String server, String tool, boolean repeatable, boolean mayBeTask,
        BlockFiles files, @Nullable InstanceServers instances, @Nullable UserTokens users) implements ToolHandler {
    private static final String META_KEY = "dev.toolfleet/idempotencyKey";
    private static final String HEADER = "Idempotency-Key";
    /// The longest wait for another try on the same connection.
    private static final Duration BETWEEN = Duration.ofMillis(200);
    /// The fleet interrupts the handler at its deadline; this only bounds the wait if it does not.
    private static final Duration BEYOND = Duration.ofSeconds(5);

    @Override
    public ToolOutput handle(ToolContext ctx, ObjectNode input) throws InterruptedException {
        if (instances == null)
            return handle(link, ctx, input);
        Path folder = WorkPaths.of(ctx.workdir(), files.workspace(), false).root();
        try (InstanceServers.Lease lease = instances.acquire(folder)) {
            return handle(lease.link(), ctx, input);
        } catch (ServerDownException e) {
            throw BridgeErrors.down(String.valueOf(e.getMessage()));
        }
    }

    private ToolOutput handle(ServerLink by, ToolContext ctx, ObjectNode input) throws InterruptedException {
        Map<String, String> headers = new HashMap<>(users == null ? Map.of() : users.header(ctx));
        headers.put(HEADER, '"' + ctx.idempotencyKey() + '"');
        ToolRequest request = ToolRequest.of(tool, input).with(McpJson.object().put(META_KEY, ctx.idempotencyKey()),
                headers);
        if (mayBeTask)
            request = request.allowingTask();
        ServerOutcome outcome = sent(by, ctx, request);
        boolean again = repeatable && outcome instanceof ServerOutcome.Lost(ServerOutcome.Cause cause, var _)
                && cause == ServerOutcome.Cause.CONNECTION;
        if (again)
            outcome = sent(by, ctx, request);
        if (outcome instanceof ServerOutcome.Task(TaskSnapshot task))
            return pending(ctx, task);
        McpReply reply = CallResult.of(server, outcome, again);
        try {
            return ToolOutput.of(ReplyOutput.of(files.without(reply, ctx.workdir())));
        } catch (IOException e) {
            throw BridgeErrors.unwritten(server, e);
        }
    }

    private ToolOutput pending(ToolContext ctx, TaskSnapshot task) {
        if (!TaskHandle.fits(task.taskId()))
            throw BridgeErrors.unknown(server, "it made a task with an id of more than " + TaskHandle.LONGEST
                    + " bytes, which does not fit into a handle");
        ObjectNode output = McpJson.object().put("task", task.taskId()).put("server", server);
        if (task.message() != null)
            output.put("message", task.message());
        return ToolOutput.pending(TaskHandle.of(ctx.newHandle(), task.taskId()), output)
                .waitingFor("MCP server '" + server + "'");
    }

    /// Makes the request until it has left, or until the deadline.
    private ServerOutcome sent(ServerLink by, ToolContext ctx, ToolRequest request) throws InterruptedException {
        while (true) {
            ServerOutcome outcome = attempt(by, ctx, request);
            if (!(outcome instanceof ServerOutcome.NotSent(ServerOutcome.Cause cause, var _))
                    || cause == ServerOutcome.Cause.CANCELLED || !ctx.deadline().isAfter(Instant.now()))
                return outcome;
            Thread.sleep(BETWEEN);
        }
    }

    private static ServerOutcome attempt(ServerLink by, ToolContext ctx, ToolRequest request)
            throws InterruptedException {
        OpenServer open = open(by, ctx);
        by.began();
        ServerOutcome outcome;
        try {
            ServerCall call = open.client().call(request, progress -> report(ctx, progress));
            outcome = call.await(Duration.between(Instant.now(), ctx.deadline()).plus(BEYOND));
        } catch (InterruptedException e) {
            by.doubt(open);
            throw e;
        } finally {
            by.ended();
        }
        if (outcome instanceof ServerOutcome.NotSent(ServerOutcome.Cause cause, String reason)
                && (cause == ServerOutcome.Cause.SESSION
                        || (cause == ServerOutcome.Cause.CONNECTION && !open.isProgram())))
            by.lost(open, reason);
        return outcome;
    }

    private static OpenServer open(ServerLink by, ToolContext ctx) throws InterruptedException {
        try {
            return by.await(ctx.deadline());
        } catch (ServerDownException e) {
            throw BridgeErrors.down(String.valueOf(e.getMessage()));
        }
    }

    private static void report(ToolContext ctx, ServerProgress progress) {
        Double total = progress.total();
        Double percent = total == null || total <= 0
                ? null
                : Double.valueOf(Math.clamp(100 * progress.progress() / total, 0, 100));
        ctx.progress(percent, progress.message().isEmpty() ? null : progress.message());
    }
}
