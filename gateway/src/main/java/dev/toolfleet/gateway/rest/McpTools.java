package dev.toolfleet.gateway.rest;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

import dev.toolfleet.gateway.access.Admitted;
import dev.toolfleet.gateway.access.Principal;
import dev.toolfleet.gateway.access.Scope;
import dev.toolfleet.gateway.calls.CallView;
import dev.toolfleet.mcp.protocol.InputQuestions;
import dev.toolfleet.mcp.protocol.McpReply;
import dev.toolfleet.mcp.protocol.Methods;
import dev.toolfleet.mcp.protocol.TaskSnapshot;
import dev.toolfleet.mcp.protocol.ToolDefinition;
import dev.toolfleet.mcp.rpc.RpcId;
import dev.toolfleet.mcp.server.CallControl;
import dev.toolfleet.mcp.server.ChangeSink;
import dev.toolfleet.mcp.server.LegacySession;
import dev.toolfleet.mcp.server.ListenFilter;
import dev.toolfleet.mcp.server.RpcException;
import dev.toolfleet.mcp.server.ServerContext;
import dev.toolfleet.mcp.server.ToolAnswer;
import dev.toolfleet.mcp.server.ToolInvocation;
import dev.toolfleet.mcp.server.ToolPage;
import dev.toolfleet.mcp.server.ToolService;
import dev.toolfleet.resources.FleetResources;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.wire.ToolResult;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ObjectNode;

import static java.util.Objects.requireNonNull;

/// Tools of the fleet for MCP clients: those of a step, and [McpAwait].
final class McpTools implements ToolService<McpCaller> {
    private static final Logger LOG = LoggerFactory.getLogger(McpTools.class);
    private static final Duration LIFE = Duration.ofSeconds(5);
    private static final int PAGE = 200;

    private final McpSteps steps;
    private final McpCalls calls;
    private final McpTasks tasks;
    private final McpApprovals approvals;
    private final McpChanges changes;
    private final Supplier<FleetResources> resources;
    private final Duration taskAfter;

    /// @param taskAfter the time after which a call becomes a task, for clients that take one
    McpTools(McpSteps steps, McpCalls calls, McpTasks tasks, McpApprovals approvals,
            Supplier<FleetResources> resources, Duration taskAfter) {
        this.steps = steps;
        this.calls = calls;
        this.tasks = tasks;
        this.approvals = approvals;
        this.changes = new McpChanges(steps, tasks);
        this.resources = resources;
        this.taskAfter = taskAfter;
    }

    @Override
    public String principal(McpCaller caller) {
        return caller.principal().name();
    }

    /// A stream that listens takes the place of one before it begins.
    @Override
    public void admit(McpCaller caller, String method) {
        switch (method) {
            case Methods.CALL_TOOL -> {
                var _ = Principal.of(caller.ctx(), Scope.TOOLS_CALL);
            }
            case Methods.LIST_TOOLS -> {
                var _ = Principal.of(caller.ctx(), Scope.TOOLS_LIST);
            }
            case Methods.LISTEN -> Admitted.of(caller.ctx()).place().becomeStream();
            default -> {
                // The route has checked the principal.
            }
        }
    }

    @Override
    public String instructions(McpCaller caller) {
        return "Tools of the agent '" + caller.agent() + "'. Each call runs once. A result that names a call and has no"
                + " output is not the end: wait with " + McpAwait.NAME + ", and do not call the tool again.";
    }

    @Override
    public String sessionInstance(McpCaller caller, String session) {
        return caller.ownInstance() + "-" + session;
    }

    @Override
    public ToolPage list(ServerContext<McpCaller> context, @Nullable String cursor)
            throws RpcException, InterruptedException {
        McpSteps.Step step = step(context);
        List<ToolDefinition> tools = new ArrayList<>(step.tools());
        if (tools.isEmpty() && resources.get().agent(context.caller().agent()).isEmpty()) {
            throw RpcException.invalid("No bundle declares the agent '" + context.caller().agent()
                    + "', and its step shows no tool. The path of this endpoint names the agent.");
        }
        if (step.find(McpAwait.NAME).isEmpty())
            tools.add(McpAwait.DEFINITION);
        if (callsByName(step))
            tools.add(McpNamedCall.DEFINITION);
        int from = cursor == null ? 0 : place(cursor, step.digest(), tools.size());
        int to = Math.min(tools.size(), from + PAGE);
        return new ToolPage(tools.subList(from, to), to < tools.size() ? step.digest() + " " + to : null, LIFE, false);
    }

    private static int place(String cursor, String digest, int size) throws RpcException {
        if (cursor.startsWith(digest + " ") && cursor.substring(digest.length() + 1).matches("[0-9]{1,6}")) {
            int place = Integer.parseInt(cursor.substring(digest.length() + 1));
            if (place < size)
                return place;
        }
        throw RpcException.invalid("The cursor is none of this list, or the list has changed. List again without one.");
    }

    @Override
    public Optional<ToolDefinition> find(ServerContext<McpCaller> context, String name)
            throws RpcException, InterruptedException {
        McpSteps.Step step = step(context);
        Optional<ToolDefinition> tool = step.find(name);
        if (tool.isEmpty() && name.equals(McpAwait.NAME))
            return Optional.of(McpAwait.DEFINITION);
        return tool.isEmpty() && name.equals(McpNamedCall.NAME) && callsByName(step)
                ? Optional.of(McpNamedCall.DEFINITION)
                : tool;
    }

    private static boolean callsByName(McpSteps.Step step) {
        return step.find(McpNamedCall.SEARCH).isPresent() && step.find(McpNamedCall.NAME).isEmpty();
    }

    private ToolAnswer callNamed(ServerContext<McpCaller> context, ToolInvocation call, String instance,
            CallControl control) throws RpcException, InterruptedException {
        // A search shows its finds in the next step.
        if (step(context).find(call.name()).isEmpty()) {
            McpSteps.Step next = McpNames.refused(() -> steps.current(context.caller(), instance, Duration.ZERO));
            if (next.find(call.name()).isEmpty())
                return new ToolAnswer.Done(McpReply.text("Unknown tool: '" + call.name() + "'. Find it with "
                        + McpNamedCall.SEARCH + " first, and give its name as the search returned it.", true));
        }
        return call(context, call, control);
    }

    @Override
    public ToolAnswer call(ServerContext<McpCaller> context, ToolInvocation call, CallControl control)
            throws RpcException, InterruptedException {
        String instance = McpNames.instance(context);
        McpSteps.Step step = step(context);
        if (step.find(call.name()).isEmpty() && !call.name().equals(McpAwait.NAME)
                && !call.name().equals(McpNamedCall.NAME))
            step = McpNames.refused(() -> steps.current(context.caller(), instance, LIFE));
        Optional<ToolDefinition> tool = step.find(call.name());
        if (call.name().equals(McpNamedCall.NAME) && callsByName(step))
            return callNamed(context, McpNamedCall.of(call), instance, control);
        if (tool.isEmpty() && call.name().equals(McpAwait.NAME)) {
            McpAwait wish = McpAwait.of(call.arguments());
            McpCalls.Outcome outcome = McpNames.refused(() -> calls.await(context.caller(), wish, control));
            return new ToolAnswer.Done(McpReplies.of(outcome.id(), outcome.result(), false));
        }
        String name = McpSteps.original(step, call.name());
        if (tool.isEmpty() || name == null)
            throw RpcException.invalid("Unknown tool: '" + call.name() + "'. tools/list has the tools of agent '"
                    + context.caller().agent() + "'.");
        String key = McpNames.key(context);
        ToolCall made = McpNames.toolCall(context, call, instance, step, name, key);
        McpCalls.Outcome outcome = call.state() != null
                ? resumed(context, call, made, control)
                : McpNames
                        .refused(() -> calls.call(context.caller(), made, key != null, patience(call.task()), control));
        boolean promisesOutput = tool.get().outputSchema() != null;
        return McpNames.refused(() -> answer(context, call.task(), outcome, promisesOutput));
    }

    /// Returns the time after which a call becomes a task; null for never.
    private @Nullable Duration patience(ToolInvocation.TaskUse use) {
        return switch (use) {
            case NEVER -> null;
            case ALLOWED -> taskAfter;
            case WANTED -> Duration.ZERO;
        };
    }

    /// Goes on with a call whose client was asked. Who may go on is judged anew, so the state needs no signature: it
    /// names a call, and the call is the same.
    private McpCalls.Outcome resumed(ServerContext<McpCaller> context, ToolInvocation call, ToolCall made,
            CallControl control) throws RpcException, InterruptedException {
        String state = requireNonNull(call.state());
        CallView view = McpNames.refused(() -> tasks.view(context, state));
        if (!McpCalls.isSame(view.call(), made) || !view.call().instanceKey().equals(made.instanceKey()))
            throw RpcException.invalid("The requestState '" + state + "' is that of another call.");
        ObjectNode answers = call.answers();
        boolean decided = answers != null && McpNames.refused(() -> approvals.decide(context, view.id(), answers));
        return decided || view.result() != null
                ? McpNames.refused(() -> calls.goOn(context.caller(), view, control))
                : new McpCalls.Outcome(view.id(), view.pending());
    }

    private ToolAnswer answer(ServerContext<McpCaller> context, ToolInvocation.TaskUse use, McpCalls.Outcome outcome,
            boolean promisesOutput) {
        ToolResult result = outcome.result();
        if (use != ToolInvocation.TaskUse.NEVER
                && (use == ToolInvocation.TaskUse.WANTED || result == null || !result.isFinal()))
            return new ToolAnswer.Task(tasks.begun(context, outcome.id()));
        if (result != null && !result.isFinal()) {
            Optional<InputQuestions> question = approvals.question(context, outcome.id(), result.handle());
            if (question.isPresent())
                return new ToolAnswer.Input(question.get());
        }
        return new ToolAnswer.Done(McpReplies.of(outcome.id(), result, promisesOutput));
    }

    @Override
    public void cancelled(ServerContext<McpCaller> context, RpcId request, String reason) {
        LegacySession session = context.session();
        try {
            calls.cancel(context.caller(), McpNames.instance(context), McpNames.callId(session, request),
                    reason.isEmpty() ? "The MCP client has cancelled the request." : reason);
        } catch (RpcException e) {
            // The principal may not use the instance any more, so it has no call there to cancel.
        }
    }

    private McpSteps.Step step(ServerContext<McpCaller> context) throws RpcException, InterruptedException {
        String instance = McpNames.instance(context);
        return McpNames.refused(() -> steps.current(context.caller(), instance));
    }

    @Override
    public TaskSnapshot task(ServerContext<McpCaller> context, String taskId, Duration wait)
            throws RpcException, InterruptedException {
        return McpNames.refused(() -> tasks.get(context, taskId, wait));
    }

    @Override
    public void updateTask(ServerContext<McpCaller> context, String taskId, ObjectNode answers)
            throws RpcException, InterruptedException {
        McpNames.refused(() -> tasks.update(context, taskId, answers));
    }

    @Override
    public void cancelTask(ServerContext<McpCaller> context, String taskId) throws RpcException, InterruptedException {
        McpNames.refused(() -> tasks.cancel(context, taskId));
    }

    @Override
    public Runnable listen(ServerContext<McpCaller> context, ListenFilter filter, ChangeSink sink)
            throws RpcException {
        return changes.listen(context, filter, sink);
    }

    @Override
    public void failed(String method, RuntimeException bug) {
        LOG.atError().setCause(bug).addKeyValue("method", method).log("MCP request failed");
    }
}
