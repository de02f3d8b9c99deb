package dev.toolfleet.gateway.rest;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;

import dev.toolfleet.gateway.access.Admitted;
import dev.toolfleet.gateway.access.Principal;
import dev.toolfleet.gateway.access.Scope;
import dev.toolfleet.http.ProblemException;
import dev.toolfleet.http.ProblemType;
import dev.toolfleet.json.Json;
import dev.toolfleet.mcp.protocol.McpReply;
import dev.toolfleet.mcp.protocol.Methods;
import dev.toolfleet.mcp.protocol.TaskSnapshot;
import dev.toolfleet.mcp.protocol.ToolDefinition;
import dev.toolfleet.mcp.rpc.RpcError;
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
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ObjectNode;

/// Tools of the fleet for MCP clients: those of a step, and [McpAwait].
final class McpTools implements ToolService<McpCaller> {
    static final String INSTANCE = "dev.toolfleet/instanceKey";
    static final String KEY = "dev.toolfleet/idempotencyKey";
    private static final Logger LOG = LoggerFactory.getLogger(McpTools.class);
    private static final Duration LIFE = Duration.ofSeconds(5);
    private static final int PAGE = 200;

    private final McpSteps steps;
    private final McpCalls calls;
    private final Supplier<FleetResources> resources;

    McpTools(McpSteps steps, McpCalls calls, Supplier<FleetResources> resources) {
        this.steps = steps;
        this.calls = calls;
        this.resources = resources;
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
        Optional<ToolDefinition> tool = step(context).find(name);
        return tool.isEmpty() && name.equals(McpAwait.NAME) ? Optional.of(McpAwait.DEFINITION) : tool;
    }

    @Override
    public ToolAnswer call(ServerContext<McpCaller> context, ToolInvocation call, CallControl control)
            throws RpcException, InterruptedException {
        String instance = instance(context);
        McpSteps.Step step = step(context);
        if (step.find(call.name()).isEmpty() && !call.name().equals(McpAwait.NAME))
            step = refused(() -> steps.current(context.caller(), instance, LIFE));
        Optional<ToolDefinition> tool = step.find(call.name());
        if (tool.isEmpty() && call.name().equals(McpAwait.NAME)) {
            McpAwait wish = McpAwait.of(call.arguments());
            McpCalls.Outcome outcome = refused(() -> calls.await(context.caller(), wish, control));
            return new ToolAnswer.Done(McpReplies.of(outcome.id(), outcome.result(), false));
        }
        String name = McpSteps.original(step, call.name());
        if (tool.isEmpty() || name == null)
            throw RpcException.invalid("Unknown tool: '" + call.name() + "'. tools/list has the tools of agent '"
                    + context.caller().agent() + "'.");
        String key = key(context);
        ToolCall made = toolCall(context, call, instance, step, name, key);
        McpCalls.Outcome outcome = refused(() -> calls.call(context.caller(), made, key != null, control));
        McpReply reply = McpReplies.of(outcome.id(), outcome.result(), tool.get().outputSchema() != null);
        return new ToolAnswer.Done(reply);
    }

    private static ToolCall toolCall(ServerContext<McpCaller> context, ToolInvocation call, String instance,
            McpSteps.Step step, String name, @Nullable String key) throws RpcException, InterruptedException {
        McpCaller caller = context.caller();
        ObjectNode body = Json.MAPPER.createObjectNode().put("id", key == null
                ? callId(context.session(), call.id())
                : CallRequest.idOf(key)).put("name", name)
                .put("turnId", McpSteps.TURN).put("stepId", step.id()).put("catalogDigest", step.digest())
                .put("instanceKey", instance).put("agentName", caller.agent())
                .put("idempotencyKey", key == null ? McpSteps.TURN + "/" + UUID.randomUUID() : key);
        body.set("args", call.arguments());
        return refused(() -> {
            BodyTree.check("arguments", call.arguments());
            CallRequest.speaker(body, caller.principal());
            return CallRequest.decoded(instance, body);
        });
    }

    /// Returns the id of a call. That of a session's request is the same at every replica, so that each can cancel it;
    /// the key, which is new for each call, keeps two calls apart whose client counts its requests from 1 again.
    private static String callId(@Nullable LegacySession session, RpcId request) {
        return session == null
                ? UUID.randomUUID().toString()
                : UUID.nameUUIDFromBytes((session.name() + " " + request.json()).getBytes(StandardCharsets.UTF_8))
                        .toString();
    }

    private static @Nullable String key(ServerContext<McpCaller> context) throws RpcException {
        Optional<String> key = context.metaText(KEY);
        if (key.isEmpty())
            return context.caller().key();
        if (!ToolCall.isIdempotencyKey(key.get()))
            throw RpcException.invalid("The field " + KEY + " of _meta " + ToolCall.idempotencyKeyRule() + ", got "
                    + key.get().length() + ".");
        return IdempotencyKey.scoped(key.get(), context.caller().principal());
    }

    @Override
    public void cancelled(ServerContext<McpCaller> context, RpcId request, String reason) {
        LegacySession session = context.session();
        try {
            calls.cancel(context.caller(), instance(context), callId(session, request),
                    reason.isEmpty() ? "The MCP client has cancelled the request." : reason);
        } catch (RpcException e) {
            // The principal may not use the instance any more, so it has no call there to cancel.
        }
    }

    private McpSteps.Step step(ServerContext<McpCaller> context) throws RpcException, InterruptedException {
        String instance = instance(context);
        return refused(() -> steps.current(context.caller(), instance));
    }

    /// Returns the instance of a request: that of the path, of `_meta`, of the session, or of the principal.
    private static String instance(ServerContext<McpCaller> context) throws RpcException {
        McpCaller caller = context.caller();
        LegacySession session = context.session();
        String instance = caller.instance().or(() -> context.metaText(INSTANCE))
                .orElseGet(() -> session == null ? caller.ownInstance() : session.instance());
        if (instance.isEmpty() || instance.length() > ToolCall.MAX_ID)
            throw RpcException.invalid("The instance key has " + instance.length() + " characters; 1 to "
                    + ToolCall.MAX_ID + " are accepted.");
        if (!caller.principal().mayUse(instance, caller.agent())) {
            throw RpcException.invalid("The principal '" + caller.principal().name() + "' may not act for agent '"
                    + caller.agent() + "' in instance '" + instance + "'. Name one of its instances in the path"
                    + " /mcp/instances/{instanceKey}/agents/{agent}.");
        }
        return instance;
    }

    private interface Work<T> {
        T run() throws InterruptedException;
    }

    /// Runs a part of a request whose refusals are problems, and returns them as errors of MCP.
    private static <T> T refused(Work<T> work) throws RpcException, InterruptedException {
        try {
            return work.run();
        } catch (ProblemException e) {
            boolean isFault = e.problem().type() == ProblemType.NOT_READY;
            throw new RpcException(new RpcError(isFault ? RpcError.INTERNAL : RpcError.INVALID_PARAMS,
                    e.problem().detail()));
        }
    }

    @Override
    public TaskSnapshot task(ServerContext<McpCaller> context, String taskId, Duration wait) throws RpcException {
        throw RpcException.unknownMethod("tasks/get");
    }

    @Override
    public void updateTask(ServerContext<McpCaller> context, String taskId, ObjectNode answers) throws RpcException {
        throw RpcException.unknownMethod("tasks/update");
    }

    @Override
    public void cancelTask(ServerContext<McpCaller> context, String taskId) throws RpcException {
        throw RpcException.unknownMethod("tasks/cancel");
    }

    /// Nothing is reported: clients read the list again when its life of 5 s is over.
    @Override
    public Runnable listen(ServerContext<McpCaller> context, ListenFilter filter, ChangeSink sink) {
        return () -> {};
    }

    @Override
    public void failed(String method, RuntimeException bug) {
        LOG.atError().setCause(bug).addKeyValue("method", method).log("MCP request failed");
    }
}
