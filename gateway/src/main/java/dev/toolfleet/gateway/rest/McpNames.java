package dev.toolfleet.gateway.rest;

import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.UUID;

import dev.toolfleet.http.ProblemException;
import dev.toolfleet.http.ProblemType;
import dev.toolfleet.json.Json;
import dev.toolfleet.mcp.rpc.RpcError;
import dev.toolfleet.mcp.rpc.RpcId;
import dev.toolfleet.mcp.server.LegacySession;
import dev.toolfleet.mcp.server.RpcException;
import dev.toolfleet.mcp.server.ServerContext;
import dev.toolfleet.mcp.server.ToolInvocation;
import dev.toolfleet.wire.ToolCall;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/// Names of the fleet for requests of MCP clients: instance, key and id of a call. Pure.
final class McpNames {
    private static final String INSTANCE = "dev.toolfleet/instanceKey";
    private static final String KEY = "dev.toolfleet/idempotencyKey";

    private McpNames() {}

    /// Makes the record of a call.
    ///
    /// @param name the tool's name in the catalog
    /// @param key the idempotency key; null for none
    static ToolCall toolCall(ServerContext<McpCaller> context, ToolInvocation call, String instance,
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
    static String callId(@Nullable LegacySession session, RpcId request) {
        return session == null
                ? UUID.randomUUID().toString()
                : UUID.nameUUIDFromBytes((session.name() + " " + request.json()).getBytes(StandardCharsets.UTF_8))
                        .toString();
    }

    /// Returns the key that the client chose; null for none.
    static @Nullable String key(ServerContext<McpCaller> context) throws RpcException {
        Optional<String> key = context.metaText(KEY);
        if (key.isEmpty())
            return context.caller().key();
        if (!ToolCall.isIdempotencyKey(key.get()))
            throw RpcException.invalid("The field " + KEY + " of _meta " + ToolCall.idempotencyKeyRule() + ", got "
                    + key.get().length() + ".");
        return IdempotencyKey.scoped(key.get(), context.caller().principal());
    }

    /// Returns the instance of a request: that of the path, of `_meta`, of the session, or of the principal.
    static String instance(ServerContext<McpCaller> context) throws RpcException {
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

    /// Part of a request.
    interface Work<T> {
        T run() throws RpcException, InterruptedException;
    }

    /// Part of a request without a result.
    interface Deed {
        void run() throws RpcException, InterruptedException;
    }

    static void refused(Deed deed) throws RpcException, InterruptedException {
        var _ = refused(() -> {
            deed.run();
            return true;
        });
    }

    /// Runs a part of a request whose refusals are problems, and returns them as errors of MCP.
    static <T> T refused(Work<T> work) throws RpcException, InterruptedException {
        try {
            return work.run();
        } catch (ProblemException e) {
            boolean isFault = e.problem().type() == ProblemType.NOT_READY;
            throw new RpcException(new RpcError(isFault ? RpcError.INTERNAL : RpcError.INVALID_PARAMS,
                    e.problem().detail()));
        }
    }
}
