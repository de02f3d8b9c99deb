package dev.toolfleet.mcp.client;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

import dev.toolfleet.mcp.protocol.Methods;
import dev.toolfleet.mcp.protocol.Revision;
import dev.toolfleet.mcp.rpc.RpcError;
import dev.toolfleet.mcp.transport.NoAnswer;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Search for the era of a server (2026-07-28, Versioning, Backward Compatibility).
///
/// **Contract.** It sends `server/discover` and `initialize`, each at most once, and no tool's call: so a server may
/// misread the probe, and nothing happens twice.
final class EraProbe {
    /// Statuses of tokens, rates and proxies: another opening would fare no better.
    private static final Set<Integer> NO_LEGACY = Set.of(401, 403, 407, 429, 502, 503, 504);

    private final ClientSettings settings;
    private final ServerListener listener;
    private final Supplier<Peer> modern;
    private final Supplier<Peer> legacy;

    /// @param modern returns the other side for modern requests
    /// @param legacy returns it for legacy ones; called at most once
    EraProbe(ClientSettings settings, ServerListener listener, Supplier<Peer> modern, Supplier<Peer> legacy) {
        this.settings = settings;
        this.listener = listener;
        this.modern = modern;
        this.legacy = legacy;
    }

    /// Conversation that has begun.
    record Found(Peer peer, Era era) {}

    Found find() throws McpException, InterruptedException {
        if (settings.era() == EraChoice.LEGACY)
            return initialize();
        Peer peer = modern.get();
        Duration timeout = settings.era() == EraChoice.MODERN ? settings.requestTimeout() : settings.probeTimeout();
        Reply reply = discover(peer, timeout);
        // A replica of another release may have answered, behind a balancer.
        if (reply instanceof Reply.Failure(RpcError error) && refusesWhatItOffers(error))
            reply = discover(peer, timeout);
        if (reply instanceof Reply.Result(ObjectNode result) && isDiscovery(result)) {
            requireModern(versions(result.path("supportedVersions")));
            return new Found(peer, new ModernEra(peer, settings, listener, result));
        }
        if (settings.era() == EraChoice.MODERN || !mayBeLegacy(reply))
            throw McpException.of(Methods.DISCOVER, reply);
        return initialize();
    }

    private Reply discover(Peer peer, Duration timeout) throws InterruptedException {
        return peer.await(peer.start(Methods.DISCOVER, ModernEra.discovery(settings), Map.of(), ProgressListener.NONE),
                timeout);
    }

    private static boolean refusesWhatItOffers(RpcError error) {
        return error.code() == RpcError.UNSUPPORTED_VERSION && error.data() != null
                && versions(error.data().path("supported")).contains(Revision.V2026_07_28.text());
    }

    private Found initialize() throws McpException, InterruptedException {
        Peer peer = legacy.get();
        return new Found(peer, LegacyEra.open(peer, settings));
    }

    private static boolean isDiscovery(ObjectNode result) {
        return result.path("supportedVersions").isArray();
    }

    private static boolean mayBeLegacy(Reply reply) {
        return switch (reply) {
            case Reply.Result result -> true;
            case Reply.Failure(RpcError error) -> !error.isModern() || offersLegacy(error);
            case Reply.None(var cause, NoAnswer.Rejected rejected) -> !NO_LEGACY.contains(rejected.status());
            case Reply.None(var cause, NoAnswer.NotSent notSent) -> false;
            case Reply.None(ServerOutcome.Cause cause, var answer) ->
                cause == ServerOutcome.Cause.DEADLINE || cause == ServerOutcome.Cause.UNREADABLE;
        };
    }

    /// True for a server of both eras that speaks none of the modern versions that this client does.
    private static boolean offersLegacy(RpcError error) {
        JsonNode data = error.data();
        if (error.code() != RpcError.UNSUPPORTED_VERSION || data == null)
            return false;
        List<String> supported = versions(data.path("supported"));
        return !supported.contains(Revision.V2026_07_28.text()) && supported.stream().map(Revision::of)
                .flatMap(Optional::stream).anyMatch(revision -> !revision.isModern());
    }

    private static List<String> versions(JsonNode json) {
        List<String> versions = new ArrayList<>();
        json.forEach(version -> versions.add(version.asString("")));
        return versions;
    }

    private static void requireModern(List<String> versions) throws McpException {
        if (!versions.contains(Revision.V2026_07_28.text())) {
            throw new McpException("server/discover: the server speaks " + versions + ", and this client speaks "
                    + Revision.V2026_07_28.text() + " of the modern versions", null);
        }
    }
}
