package dev.toolfleet.mcp.server;

import java.security.SecureRandom;
import java.time.Clock;
import java.util.HexFormat;
import java.util.Optional;

import dev.toolfleet.mcp.protocol.Meta;
import dev.toolfleet.mcp.protocol.PeerInfo;
import dev.toolfleet.mcp.protocol.Revision;
import dev.toolfleet.mcp.rpc.McpJson;
import dev.toolfleet.mcp.rpc.RpcError;
import dev.toolfleet.mcp.rpc.RpcMessage;
import tools.jackson.databind.node.ObjectNode;

/// Sessions of legacy clients: opened by `initialize`, and read from their ids at any replica. A client without a session
/// is served as well, by the revision of its header: revision 2025-03-26 lets a server do without.
///
/// @param <C> the type of callers
final class LegacySessions<C> {
    private static final int NAME_BYTES = 8;
    private static final SecureRandom RANDOM = new SecureRandom();

    private final ToolService<C> service;
    private final ServerSettings settings;
    private final MethodTable<C> methods;
    private final SessionIds ids;
    private final Clock clock;

    LegacySessions(ToolService<C> service, ServerSettings settings, MethodTable<C> methods, SessionIds ids,
            Clock clock) {
        this.service = service;
        this.settings = settings;
        this.methods = methods;
        this.ids = ids;
        this.clock = clock;
    }

    /// Session that was opened.
    ///
    /// @param id the value of its header
    /// @param result the result of `initialize`
    record Opened(String id, ObjectNode result) {}

    /// Thrown for an id of no session: the client must open another one.
    static final class UnknownSession extends Exception {
        RpcError error() {
            return new RpcError(RpcError.INVALID_REQUEST, "The session is unknown, has ended, or is another"
                    + " principal's. Send initialize without the header " + Meta.SESSION_HEADER + " for a new one.");
        }
    }

    /// Opens a session. A version that is unknown is answered by the newest one of this era.
    Opened open(C caller, RpcMessage.Request request) throws RpcException {
        ObjectNode params = request.params();
        String wanted = params.path("protocolVersion").stringValue(null);
        if (wanted == null)
            throw RpcException.invalid("The field protocolVersion must be a text.");
        Revision revision = Revision.of(wanted).filter(known -> !known.isModern()).orElse(Revision.NEWEST_LEGACY);
        byte[] random = new byte[NAME_BYTES];
        RANDOM.nextBytes(random);
        String name = HexFormat.of().formatHex(random);
        ObjectNode capabilities = params.path("capabilities") instanceof ObjectNode given ? given : McpJson.object();
        String id = ids.idOf(new LegacySession(name, revision, capabilities, PeerInfo.of(params.path("clientInfo")),
                service.principal(caller), service.sessionInstance(caller, name), clock.instant()));
        ObjectNode result = McpJson.object().put("protocolVersion", revision.text());
        ObjectNode offered = methods.capabilities();
        if (settings.hasTasks() && revision == Revision.V2025_11_25) {
            ObjectNode tasks = offered.withObject("/tasks");
            tasks.set("cancel", McpJson.object());
            tasks.withObject("/requests/tools").set("call", McpJson.object());
        }
        result.set("capabilities", offered);
        result.set("serverInfo", settings.info().json());
        methods.instruct(result, caller);
        return new Opened(id, result);
    }

    /// Returns the circumstances of a request without modern `_meta`.
    ///
    /// @throws UnknownSession for an id that this caller cannot use
    /// @throws RpcException for a version that is unknown
    ServerContext<C> context(WebExchange exchange, C caller, ObjectNode meta) throws UnknownSession, RpcException {
        String version = exchange.header(Meta.VERSION_HEADER);
        Optional<Revision> stated = McpEndpoint.revision(exchange);
        if (version != null && stated.isEmpty())
            throw new RpcException(new RpcError(RpcError.INVALID_REQUEST, "The header " + Meta.VERSION_HEADER
                    + " has an unknown version. There are " + RequestEnvelope.supported() + "."));
        String id = exchange.header(Meta.SESSION_HEADER);
        if (id == null)
            return new ServerContext<>(caller, stated.orElse(Revision.V2025_03_26), McpJson.object(), null, meta, null);
        LegacySession session = ids.read(id.strip(), service.principal(caller)).orElseThrow(UnknownSession::new);
        return new ServerContext<>(caller, session.revision(), session.capabilities(), session.client(), meta, session);
    }
}
