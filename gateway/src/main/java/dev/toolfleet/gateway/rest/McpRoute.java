package dev.toolfleet.gateway.rest;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

import dev.toolfleet.gateway.calls.CallReads;
import dev.toolfleet.http.Answers;
import dev.toolfleet.http.BearerToken;
import dev.toolfleet.http.ProblemException;
import dev.toolfleet.http.ProblemType;
import dev.toolfleet.http.Route;
import dev.toolfleet.mcp.protocol.Meta;
import dev.toolfleet.mcp.protocol.PeerInfo;
import dev.toolfleet.mcp.rpc.RpcLimits;
import dev.toolfleet.mcp.server.McpEndpoint;
import dev.toolfleet.mcp.server.ServerSettings;
import dev.toolfleet.mcp.server.SessionIds;
import dev.toolfleet.resources.FleetResources;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;

/// Endpoints for MCP clients: one for each agent, with the instance in the path or without.
///
/// **Contract.** All methods of the protocol are POST; GET is the stream on which a session listens. Sessions of older clients are in their ids, signed by a key that
/// is derived from the internal token, so every replica serves them; without that token they end with the process.
///
/// **Threads.** Each request blocks a virtual thread of its own.
public final class McpRoute implements Route {
    private static final Duration SESSION_LIFE = Duration.ofDays(30);
    private static final int DEPTH = 100;
    private static final int LISTENERS = 1_000;
    private static final int KEY_BYTES = 32;
    private static final String INSTANCE = "instanceKey";

    private final McpEndpoint<McpCaller> endpoint;

    /// Makes the endpoints.
    ///
    /// @param resources the declarations of the moment
    /// @param shared the token that all replicas share; empty for a gateway alone
    /// @param times the times of tasks
    public McpRoute(FleetWriter fleet, CallReads reads, Supplier<FleetResources> resources,
            Optional<BearerToken> shared, McpTimes times) {
        KnownCalls calls = new KnownCalls(reads);
        McpApprovals approvals = new McpApprovals(fleet);
        McpTasks tasks = new McpTasks(fleet, calls, approvals, times.retention(), Clock.systemUTC());
        McpTools tools = new McpTools(new McpSteps(fleet, resources, System::nanoTime), new McpCalls(fleet, calls),
                tasks, approvals, resources, times.taskAfter());
        ServerSettings settings = ServerSettings.of(new PeerInfo("toolfleet-gateway", "1"))
                .limited(new RpcLimits(CallRequest.MAX_BODY, DEPTH), LISTENERS);
        endpoint = new McpEndpoint<>(tools, settings,
                new SessionIds(List.of(key(shared)), Clock.systemUTC(), SESSION_LIFE), Clock.systemUTC());
    }

    @Override
    public void addTo(RoutesConfig routes) {
        for (String path : List.of("/mcp/agents/{agent}", "/mcp/instances/{" + INSTANCE + "}/agents/{agent}")) {
            routes.post(path, this::post);
            routes.get(path, this::listen);
            routes.delete(path, McpRoute::end);
        }
    }

    /// Opens the stream of a session. Clients of 2026-07-28 listen by a POST.
    private void listen(Context ctx) {
        Answers.allowParameters(ctx);
        McpCaller caller = McpCaller.of(ctx, instance(ctx));
        String accept = ctx.header("Accept");
        if (accept == null || !accept.contains("text/event-stream"))
            throw withoutSession(ctx, "It lacks the header Accept: text/event-stream");
        checkSession(ctx);
        try {
            endpoint.listen(new McpExchange(ctx), caller);
        } catch (IOException e) {
            // The client has gone.
        }
    }

    /// Ends a session. Nothing of it was kept.
    private static void end(Context ctx) {
        Answers.allowParameters(ctx);
        var _ = McpCaller.of(ctx, instance(ctx));
        checkSession(ctx);
    }

    private static void checkSession(Context ctx) {
        if (ctx.header(Meta.SESSION_HEADER) == null)
            throw withoutSession(ctx, "It lacks the header " + Meta.SESSION_HEADER);
    }

    private static ProblemException withoutSession(Context ctx, String why) {
        ctx.header("Allow", "POST");
        return Refusals.of(ProblemType.METHOD_NOT_ALLOWED, ctx.method() + " is for sessions of older clients. " + why
                + ". Clients of 2026-07-28 use POST for everything.");
    }

    private static Optional<String> instance(Context ctx) {
        return Optional.ofNullable(ctx.pathParamMap().get(INSTANCE));
    }

    private void post(Context ctx) {
        Answers.allowParameters(ctx);
        McpCaller caller = McpCaller.of(ctx, instance(ctx));
        byte[] body = JsonBody.bytes(ctx, CallRequest.MAX_BODY, CallRequest.BODY_WITHIN);
        try {
            endpoint.post(new McpExchange(ctx), caller, body);
        } catch (IOException e) {
            // The client has gone.
        }
    }

    private static byte[] key(Optional<BearerToken> shared) {
        byte[] random = new byte[KEY_BYTES];
        new SecureRandom().nextBytes(random);
        return shared.map(token -> digest("toolfleet-mcp-sessions " + token.authorization())).orElse(random);
    }

    private static byte[] digest(String text) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
