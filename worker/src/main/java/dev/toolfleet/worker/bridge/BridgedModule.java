package dev.toolfleet.worker.bridge;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Map;

import dev.toolfleet.mcp.client.McpClient;
import dev.toolfleet.mcp.client.McpException;
import dev.toolfleet.mcp.protocol.McpReply;
import dev.toolfleet.mcp.protocol.TaskSnapshot;
import dev.toolfleet.mcp.rpc.RpcError;
import dev.toolfleet.tool.PendingWork;
import dev.toolfleet.tool.PollAnswer;
import dev.toolfleet.tool.ToolHandler;
import dev.toolfleet.tool.ToolModule;

/// Code of a server's tool: its calls, and the server's tasks behind those that are pending.
///
/// **Contract.** The id of a task is in the handle, so any worker polls and cancels it. A server that does not know a
/// task any more ends the call with `E_TOOL_OUTCOME_UNKNOWN`; one that cannot be reached now is asked again later.
///
/// @param export the name of the export
record BridgedModule(String export, BridgedCall call) implements ToolModule {
    /// The longest id of a task, in bytes: it has to fit into a handle.
    static final int LONGEST_TASK = 512;
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    /// Returns the handle of a task.
    ///
    /// @param fresh a handle of the fleet: servers count their tasks anew after a restart
    static String handle(String fresh, String taskId) {
        return fresh + "." + Base64.getUrlEncoder().withoutPadding()
                .encodeToString(taskId.getBytes(StandardCharsets.UTF_8));
    }

    private static String taskId(String handle) {
        return new String(Base64.getUrlDecoder().decode(handle.substring(handle.indexOf('.') + 1)),
                StandardCharsets.UTF_8);
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
            return answer(client, client.task(taskId(work.handle())));
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
        client().cancelTask(taskId(work.handle()));
    }

    private McpClient client() throws ServerDownException, InterruptedException {
        return call.link().await(Instant.now().plus(PATIENCE)).client();
    }
}
