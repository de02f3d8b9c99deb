package dev.toolfleet.worker.bridge;

import dev.toolfleet.mcp.client.ServerOutcome;
import dev.toolfleet.mcp.protocol.InputQuestions;
import dev.toolfleet.mcp.protocol.McpReply;
import dev.toolfleet.mcp.protocol.TaskSnapshot;
import dev.toolfleet.mcp.rpc.RpcError;

/// Result of a bridged call, from the outcome of its request. Pure.
final class CallResult {
    private CallResult() {}

    /// Returns the reply of the tool.
    ///
    /// @param repeatable true if the request has been made twice by now, because it does no harm
    /// @throws dev.toolfleet.tool.ToolException if there is none
    static McpReply of(String server, ServerOutcome outcome, boolean repeatable) {
        return switch (outcome) {
            case ServerOutcome.Done(McpReply reply) -> {
                if (reply.isError())
                    throw BridgeErrors.toolFailed(server, reply);
                yield reply;
            }
            case ServerOutcome.Task(TaskSnapshot task) ->
                throw BridgeErrors.unknown(server, "it made the task '" + task.taskId()
                        + "', which the request did not allow");
            case ServerOutcome.Input(InputQuestions questions) -> throw BridgeErrors.input(server, questions);
            case ServerOutcome.Failed(RpcError error) -> throw BridgeErrors.failed(server, error);
            case ServerOutcome.Rejected(int status, String text, var _) ->
                throw BridgeErrors.rejected(server, status, text);
            case ServerOutcome.NotSent(var _, String reason) -> throw BridgeErrors.notSent(server, reason);
            case ServerOutcome.Lost(ServerOutcome.Cause cause, String reason) ->
                throw lost(server, cause, reason, repeatable);
        };
    }

    private static RuntimeException lost(String server, ServerOutcome.Cause cause, String reason, boolean repeatable) {
        if (cause == ServerOutcome.Cause.UNREADABLE)
            return BridgeErrors.unreadable(server, reason);
        return repeatable ? BridgeErrors.died(server, reason) : BridgeErrors.unknown(server, reason);
    }
}
