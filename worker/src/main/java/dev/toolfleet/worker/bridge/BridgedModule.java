package dev.toolfleet.worker.bridge;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;

import dev.toolfleet.mcp.client.McpClient;
import dev.toolfleet.mcp.client.McpException;
import dev.toolfleet.mcp.protocol.McpReply;
import dev.toolfleet.mcp.protocol.TaskSnapshot;
import dev.toolfleet.mcp.rpc.RpcError;
import dev.toolfleet.tool.Authorized;
import dev.toolfleet.tool.PendingWork;
import dev.toolfleet.tool.PollAnswer;
import dev.toolfleet.tool.TokenSource;
import dev.toolfleet.tool.ToolHandler;
import dev.toolfleet.tool.ToolModule;

/// Code of a server's tool: its calls, and the server's tasks behind those that are pending.
///
/// **Contract.** The id of a task is in the handle, so any worker polls and cancels it. A server that does not know a
/// task any more ends the call with `E_TOOL_OUTCOME_UNKNOWN`; one that cannot be reached now is asked again later.
///
/// @param export the name of the export
record BridgedModule(String export, BridgedCall call) implements ToolModule, Authorized {
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    @Override
    public void tokens(TokenSource source) {
        UserTokens users = call.users();
        if (users != null)
            users.set(source);
    }

    @Override
    public Map<String, ToolHandler> handlers() {
        return Map.of(export, call);
    }

    @Override
    public PollAnswer poll(String name, PendingWork work)
            throws ServerDownException, McpException, InterruptedException {
        McpClient client = client();
        try {
            return answer(client, client.task(TaskHandle.taskId(work.handle())));
        } catch (McpException e) {
            if (e.error().filter(RpcError::isRefusal).isEmpty())
                throw e;
            return PollAnswer.failed(BridgeErrors.unknown(call.server(), "it does not know the task any more ("
                    + e.getMessage() + ")"));
        }
    }

    private PollAnswer answer(McpClient client, TaskSnapshot task) throws McpException, InterruptedException {
        String server = call.server();
        return switch (task.status()) {
            case WORKING -> PollAnswer.running(null, task.message());
            case INPUT_REQUIRED -> {
                client.cancelTask(task.taskId());
                yield PollAnswer.failed(task.payload() instanceof TaskSnapshot.Payload.Questions questions
                        ? BridgeErrors.taskInput(server, questions.questions())
                        : BridgeErrors.unreadable(server, "a task that needs an answer, without a question"));
            }
            case COMPLETED, FAILED -> switch (task.payload()) {
                case TaskSnapshot.Payload.Reply(McpReply reply) when reply.isError() ->
                    PollAnswer.failed(BridgeErrors.toolFailed(server, reply));
                case TaskSnapshot.Payload.Reply(McpReply reply) -> PollAnswer.completed(ReplyOutput.of(reply));
                case TaskSnapshot.Payload.Failure(RpcError error) ->
                    PollAnswer.failed(BridgeErrors.failed(server, error));
                default -> PollAnswer.failed(BridgeErrors.unreadable(server, "a task that has ended without a result"));
            };
            case CANCELLED -> PollAnswer.failed(BridgeErrors.taskCancelled(server, task.message()));
        };
    }

    @Override
    public void cancel(String name, PendingWork work) throws ServerDownException, McpException, InterruptedException {
        client().cancelTask(TaskHandle.taskId(work.handle()));
    }

    private McpClient client() throws ServerDownException, InterruptedException {
        return call.link().await(Instant.now().plus(PATIENCE)).client();
    }
}
