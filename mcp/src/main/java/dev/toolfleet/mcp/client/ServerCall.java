package dev.toolfleet.mcp.client;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

import dev.toolfleet.mcp.protocol.InputQuestions;
import dev.toolfleet.mcp.protocol.McpReply;
import dev.toolfleet.mcp.protocol.Methods;
import dev.toolfleet.mcp.protocol.TaskSnapshot;
import dev.toolfleet.mcp.rpc.McpJson;
import dev.toolfleet.mcp.rpc.RpcError;
import dev.toolfleet.mcp.transport.NoAnswer;
import tools.jackson.databind.node.ObjectNode;

/// Call of a tool that has begun.
///
/// **Contract.** It is sent once. The one exception: a server that refuses it because a header does not fit its schema
/// has done nothing; then the schemas are read again and it is sent a second time (2026-07-28, Client Behavior).
///
/// **Threads.** One waits; any may cancel.
public final class ServerCall {
    private static final int FIRST_SERVER_ERROR = 500;

    private final Peer peer;
    private final Era era;
    private final ToolHeaders tools;
    private final ToolRequest request;
    private final ProgressListener progress;
    private volatile Flight flight;
    private volatile boolean cancelled;

    ServerCall(Peer peer, Era era, ToolHeaders tools, ToolRequest request, ProgressListener progress) {
        this.peer = peer;
        this.era = era;
        this.tools = tools;
        this.request = request;
        this.progress = progress;
        this.flight = start(peer, era, tools, request, progress);
    }

    private static Flight start(Peer peer, Era era, ToolHeaders tools, ToolRequest request,
            ProgressListener progress) {
        ObjectNode params = McpJson.object().put("name", request.name());
        params.set("arguments", request.arguments());
        if (!request.meta().isEmpty())
            params.set("_meta", request.meta().deepCopy());
        ObjectNode answers = request.answers();
        if (answers != null)
            params.set("inputResponses", answers);
        if (request.state() != null)
            params.put("requestState", request.state());
        Map<String, String> headers = new TreeMap<>(request.headers());
        headers.putAll(tools.headers(request));
        boolean task = request.allowTask() && tools.allowsTask(request.name());
        return peer.start(Methods.CALL_TOOL, era.callParams(params, task), headers, progress);
    }

    /// Waits for the outcome. When the time is over the call is cancelled, and the outcome states that.
    ///
    /// @throws InterruptedException when the thread is interrupted; the call is cancelled
    public ServerOutcome await(Duration timeout) throws InterruptedException {
        long end = System.nanoTime() + timeout.toNanos();
        try {
            Reply reply = peer.await(flight, timeout);
            if (isHeaderMismatch(reply) && tools.readAgain()) {
                flight = start(peer, era, tools, request, progress);
                if (cancelled)
                    cancel("the caller cancelled");
                reply = peer.await(flight, Duration.ofNanos(end - System.nanoTime()));
            }
            return outcome(reply);
        } catch (InterruptedException e) {
            cancel("the caller was interrupted");
            throw e;
        }
    }

    /// Cancels the call, if it has not ended.
    public void cancel(String reason) {
        cancelled = true;
        peer.cancel(flight, ServerOutcome.Cause.CANCELLED, reason);
    }

    private static boolean isHeaderMismatch(Reply reply) {
        return reply instanceof Reply.Failure(RpcError error) && error.code() == RpcError.HEADER_MISMATCH;
    }

    private ServerOutcome outcome(Reply reply) {
        return switch (reply) {
            case Reply.Result(ObjectNode result) -> result(result);
            case Reply.Failure(RpcError error) -> new ServerOutcome.Failed(error);
            case Reply.None(var cause, NoAnswer answer) -> switch (answer) {
                case NoAnswer.NotSent(String reason) -> new ServerOutcome.NotSent(cause, reason);
                case NoAnswer.SessionEnded(String reason) -> new ServerOutcome.NotSent(cause, reason);
                case NoAnswer.Lost(String reason) -> new ServerOutcome.Lost(cause, reason);
                case NoAnswer.Unreadable(String reason) -> new ServerOutcome.Lost(cause, reason);
                case NoAnswer.Rejected rejected -> rejected.status() < FIRST_SERVER_ERROR
                        ? new ServerOutcome.Rejected(rejected.status(), rejected.text(), rejected.headers())
                        : new ServerOutcome.Lost(cause, rejected.reason());
            };
        };
    }

    private ServerOutcome result(ObjectNode result) {
        Optional<TaskSnapshot> task = era.task(result);
        if (task.isPresent() && request.allowTask())
            return new ServerOutcome.Task(task.get());
        String type = result.path("resultType").stringValue("complete");
        return switch (type) {
            case "complete" -> new ServerOutcome.Done(McpReply.of(result));
            case "input_required" -> new ServerOutcome.Input(InputQuestions.of(result));
            default -> new ServerOutcome.Lost(ServerOutcome.Cause.UNREADABLE,
                    "a result of type '" + type + "', which this call did not allow");
        };
    }
}
