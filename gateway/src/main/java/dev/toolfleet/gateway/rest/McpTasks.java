package dev.toolfleet.gateway.rest;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

import dev.toolfleet.error.ErrorCode;
import dev.toolfleet.gateway.calls.CallId;
import dev.toolfleet.gateway.calls.CallView;
import dev.toolfleet.gateway.calls.CallWait;
import dev.toolfleet.http.ProblemException;
import dev.toolfleet.mcp.protocol.InputQuestions;
import dev.toolfleet.mcp.protocol.TaskSnapshot;
import dev.toolfleet.mcp.protocol.TaskSnapshot.Payload;
import dev.toolfleet.mcp.protocol.TaskStatus;
import dev.toolfleet.mcp.server.RpcException;
import dev.toolfleet.mcp.server.ServerContext;
import dev.toolfleet.wire.Approval;
import dev.toolfleet.wire.Timing;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.wire.ToolResult;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/// Calls as tasks of MCP. A task's id is its call's id, and its state is that of the read model.
///
/// **Contract.** Nothing of a task is kept here, so every replica answers for it, also after the one that made it has
/// died. A task that the principal may not see, or of another agent than the path's, does not exist.
///
/// **Threads.** Any; reads block.
final class McpTasks {
    private static final Duration WORK_POLL = Duration.ofSeconds(1);
    private static final Duration WAIT_POLL = Duration.ofSeconds(5);

    private final FleetWriter fleet;
    private final KnownCalls calls;
    private final McpApprovals approvals;
    private final Duration retention;
    private final Clock clock;

    /// @param retention the time for which an ended call is kept
    McpTasks(FleetWriter fleet, KnownCalls calls, McpApprovals approvals, Duration retention, Clock clock) {
        this.fleet = fleet;
        this.calls = calls;
        this.approvals = approvals;
        this.retention = retention;
        this.clock = clock;
    }

    /// Returns the task of a call that the broker has, also if the read model cannot be asked now.
    TaskSnapshot begun(ServerContext<McpCaller> context, CallId id) {
        try {
            return snapshot(context, calls.get(id, context.caller().principal()));
        } catch (ProblemException e) {
            Instant now = clock.instant();
            return new TaskSnapshot(id.toString(), TaskStatus.WORKING, null, now, now, null, WORK_POLL,
                    new Payload.None());
        }
    }

    /// Returns a task.
    ///
    /// @param wait the time for which a change is awaited
    TaskSnapshot get(ServerContext<McpCaller> context, String taskId, Duration wait) throws RpcException {
        CallView view = view(context, taskId);
        if (view.result() == null && !wait.isZero()) {
            var _ = calls.events(view.id(), view.at(), wait);
            view = view(context, taskId);
        }
        return snapshot(context, view);
    }

    /// Returns the call of a task.
    CallView view(ServerContext<McpCaller> context, String taskId) throws RpcException {
        McpCaller caller = context.caller();
        CallId id;
        try {
            id = CallId.parse(taskId);
        } catch (IllegalArgumentException e) {
            throw unknown(taskId);
        }
        CallView view = calls.get(id, caller.principal());
        ToolCall call = view.call();
        if (!caller.agent().equals(call.agentName())
                || !caller.instance().orElse(call.instanceKey()).equals(call.instanceKey()))
            throw unknown(taskId);
        return view;
    }

    private static RpcException unknown(String taskId) {
        return RpcException.invalid("No task '" + taskId + "' is known here. A task belongs to the address, with its"
                + " agent and instance, at which its tool was called, and is forgotten some time after its end.");
    }

    private TaskSnapshot snapshot(ServerContext<McpCaller> context, CallView asked) {
        CallView view = calls.leading(asked);
        ToolResult result = view.result();
        if (result != null)
            return ended(asked, view, result);
        CallWait wait = view.waitsFor();
        Optional<InputQuestions> question = approvals.question(context, view.id(), wait == null ? null : wait.handle());
        Instant updated = view.progress() != null
                ? view.progress().at()
                : wait != null ? wait.createdAt() : view.acceptedAt();
        Duration kept = wait == null ? null : Duration.between(asked.acceptedAt(), wait.deadline()).plus(retention);
        return new TaskSnapshot(asked.id().toString(),
                question.isPresent() ? TaskStatus.INPUT_REQUIRED : TaskStatus.WORKING, message(view),
                asked.acceptedAt(), updated, kept, wait == null ? WORK_POLL : WAIT_POLL,
                question.<Payload>map(Payload.Questions::new).orElse(new Payload.None()));
    }

    private TaskSnapshot ended(CallView asked, CallView view, ToolResult result) {
        boolean cancelled = result.error() != null
                && result.error().code().equals(ErrorCode.E_TOOL_CANCELLED.name());
        Timing timing = result.timing();
        Instant end = view.acceptedAt().plusMillis(timing == null ? 0 : timing.totalMs());
        Duration kept = Duration.between(asked.acceptedAt(), end).plus(retention);
        return new TaskSnapshot(asked.id().toString(), cancelled ? TaskStatus.CANCELLED : TaskStatus.COMPLETED, null,
                asked.acceptedAt(), end.isBefore(asked.acceptedAt()) ? asked.acceptedAt() : end, kept, null,
                cancelled ? new Payload.None() : new Payload.Reply(McpReplies.of(view.id(), result, false)));
    }

    private static @Nullable String message(CallView view) {
        CallWait wait = view.waitsFor();
        if (view.progress() != null) {
            var progress = view.progress().progress();
            String percent = progress.percent() == null ? "" : Math.round(progress.percent()) + " %";
            String text = progress.message() == null ? "" : progress.message();
            return percent.isEmpty() || text.isEmpty() ? percent + text : percent + ": " + text;
        }
        if (wait == null)
            return view.stage().text();
        Approval approval = wait.approval();
        return approval == null
                ? "waits for work elsewhere" + (wait.target() == null ? "" : ", of " + wait.target())
                : "waits for approval: " + approval.rule();
    }

    /// Takes answers to the questions of a task.
    void update(ServerContext<McpCaller> context, String taskId, ObjectNode answers) throws RpcException {
        var _ = approvals.decide(context, calls.leading(view(context, taskId)).id(), answers);
    }

    /// Cancels the call of a task. One that has ended stays as it is.
    void cancel(ServerContext<McpCaller> context, String taskId) throws RpcException {
        CallView view = calls.leading(view(context, taskId));
        if (view.result() != null)
            return;
        Stages.sentOnly(fleet.cancel(KnownCalls.cancellation(view, context.caller().by(),
                "The MCP client has cancelled the task.")), "the cancellation");
    }
}
