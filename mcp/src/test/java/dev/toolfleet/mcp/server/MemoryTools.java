package dev.toolfleet.mcp.server;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;

import dev.toolfleet.mcp.protocol.McpReply;
import dev.toolfleet.mcp.protocol.Revision;
import dev.toolfleet.mcp.protocol.TaskSnapshot;
import dev.toolfleet.mcp.protocol.TaskStatus;
import dev.toolfleet.mcp.protocol.ToolDefinition;
import dev.toolfleet.mcp.rpc.McpJson;
import dev.toolfleet.mcp.rpc.RpcId;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/// Tools of a test: `echo` answers at once, `slow` once it is let go or cancelled, `task` becomes a task, `bug` throws.
final class MemoryTools implements ToolService<String> {
    final CountDownLatch slow = new CountDownLatch(1);
    final CountDownLatch slowIsAtWork = new CountDownLatch(1);
    final CountDownLatch cancelled = new CountDownLatch(1);
    final List<RpcId> cancelledElsewhere = new CopyOnWriteArrayList<>();
    final List<RuntimeException> bugs = new CopyOnWriteArrayList<>();
    final Map<String, TaskSnapshot> tasks = new ConcurrentHashMap<>();
    final List<ChangeSink> listeners = new CopyOnWriteArrayList<>();

    @Override
    public String principal(String caller) {
        return caller;
    }

    @Override
    public String instructions(String caller) {
        return "Use echo.";
    }

    @Override
    public ToolPage list(ServerContext<String> context, @Nullable String cursor) throws RpcException {
        if (cursor != null && !cursor.equals("2"))
            throw RpcException.invalid("The cursor is stale.");
        return cursor == null
                ? new ToolPage(List.of(tool("bug"), tool("echo")), "2", Duration.ofSeconds(5), false)
                : new ToolPage(List.of(tool("slow"), tool("task")), null, Duration.ofSeconds(5), false);
    }

    @Override
    public Optional<ToolDefinition> find(ServerContext<String> context, String name) {
        return List.of("bug", "echo", "slow", "task").contains(name) ? Optional.of(tool(name)) : Optional.empty();
    }

    @Override
    public ToolAnswer call(ServerContext<String> context, ToolInvocation call, CallControl control)
            throws RpcException, InterruptedException {
        return switch (call.name()) {
            case "echo" -> new ToolAnswer.Done(McpReply.value(call.arguments()));
            case "slow" -> {
                control.onCancel(() -> {
                    cancelled.countDown();
                    slow.countDown();
                });
                control.progress(5, 10.0, "five");
                slowIsAtWork.countDown();
                slow.await();
                control.progress(3, 10.0, "not more");
                yield new ToolAnswer.Done(McpReply.text("slow", false));
            }
            case "task" -> {
                TaskSnapshot task = new TaskSnapshot("0-7", TaskStatus.WORKING, null, Instant.EPOCH, Instant.EPOCH,
                        Duration.ofMinutes(1), null, new TaskSnapshot.Payload.None());
                tasks.put(task.taskId(), task);
                yield new ToolAnswer.Task(task);
            }
            case "bug" -> throw new IllegalStateException("secret");
            default -> throw RpcException.invalid("Unknown tool: " + call.name());
        };
    }

    void complete(String taskId) {
        tasks.computeIfPresent(taskId, (_, task) -> new TaskSnapshot(taskId, TaskStatus.COMPLETED, null,
                task.createdAt(), task.updatedAt(), task.timeToLive(), null,
                new TaskSnapshot.Payload.Reply(McpReply.text("done", false))));
    }

    @Override
    public void cancelled(ServerContext<String> context, RpcId request, String reason) {
        cancelledElsewhere.add(request);
    }

    @Override
    public TaskSnapshot task(ServerContext<String> context, String taskId, Duration wait) throws RpcException {
        TaskSnapshot task = tasks.get(taskId);
        if (task == null)
            throw RpcException.invalid("There is no task '" + taskId + "'.");
        return task;
    }

    @Override
    public void updateTask(ServerContext<String> context, String taskId, ObjectNode answers) {}

    @Override
    public void cancelTask(ServerContext<String> context, String taskId) {
        tasks.computeIfPresent(taskId, (_, task) -> new TaskSnapshot(taskId, TaskStatus.CANCELLED, null,
                task.createdAt(), task.updatedAt(), null, null, new TaskSnapshot.Payload.None()));
    }

    @Override
    public Runnable listen(ServerContext<String> context, ListenFilter filter, ChangeSink sink) {
        listeners.add(sink);
        return () -> listeners.remove(sink);
    }

    @Override
    public void failed(String method, RuntimeException bug) {
        bugs.add(bug);
    }

    private static ToolDefinition tool(String name) {
        ObjectNode json = McpJson.object().put("name", name);
        json.set("inputSchema", new JsonMapper().readTree(name.equals("echo")
                ? "{'type':'object','properties':{'region':{'type':'string','x-mcp-header':'Region'}}}"
                        .replace('\'', '"')
                : "{\"type\":\"object\"}"));
        return ToolDefinition.of(json, Revision.V2026_07_28);
    }
}
