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
import dev.toolfleet.http.Route;
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
/// **Contract.** All methods of the protocol are POST. Sessions of older clients are in their ids, signed by a key that
/// is derived from the internal token, so every replica serves them; without that token they end with the process.
///
/// **Threads.** Each request blocks a virtual thread of its own.
public final class McpRoute implements Route {
    private static final Duration SESSION_LIFE = Duration.ofDays(30);
    private static final int DEPTH = 100;
    private static final int LISTENERS = 1_000;
    private static final int KEY_BYTES = 32;

    private final McpEndpoint<McpCaller> endpoint;

    /// Makes the endpoints.
    ///
    /// @param resources the declarations of the moment
    /// @param shared the token that all replicas share; empty for a gateway alone
    public McpRoute(FleetWriter fleet, CallReads reads, Supplier<FleetResources> resources,
            Optional<BearerToken> shared) {
        McpTools tools = new McpTools(new McpSteps(fleet, new ExportHints(resources), System::nanoTime),
                new McpCalls(fleet, new KnownCalls(reads)), resources);
        ServerSettings settings = ServerSettings.of(new PeerInfo("toolfleet-gateway", "1")).offering(false, false)
                .limited(new RpcLimits(CallRequest.MAX_BODY, DEPTH), LISTENERS);
        endpoint = new McpEndpoint<>(tools, settings,
                new SessionIds(List.of(key(shared)), Clock.systemUTC(), SESSION_LIFE), Clock.systemUTC());
    }

    @Override
    public void addTo(RoutesConfig routes) {
        routes.post("/mcp/agents/{agent}", ctx -> post(ctx, Optional.empty()));
        routes.post("/mcp/instances/{instanceKey}/agents/{agent}",
                ctx -> post(ctx, Optional.of(ctx.pathParam("instanceKey"))));
    }

    private void post(Context ctx, Optional<String> instance) {
        Answers.allowParameters(ctx);
        McpCaller caller = McpCaller.of(ctx, instance);
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
