package dev.toolfleet.mcp.server;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

import dev.toolfleet.mcp.protocol.Meta;
import dev.toolfleet.mcp.protocol.Methods;
import dev.toolfleet.mcp.protocol.PeerInfo;
import dev.toolfleet.mcp.protocol.Revision;
import dev.toolfleet.mcp.rpc.HeaderText;
import dev.toolfleet.mcp.rpc.McpJson;
import dev.toolfleet.mcp.rpc.RpcError;
import dev.toolfleet.mcp.rpc.RpcMessage;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Envelope of a modern request: version, client and capabilities in `_meta`, and the headers that repeat parts of the
/// body (2026-07-28, Streamable HTTP).
///
/// **Why.** The era is that of `_meta` and of the version's header, not of the method: `initialize` of a client that sends
/// modern `_meta` is an unknown method, and `tools/list` without it belongs to a session.
///
/// @param revision the revision of the request
/// @param capabilities the client's capabilities
/// @param client name and version of the client; null if it does not state them
record RequestEnvelope(Revision revision, ObjectNode capabilities, @Nullable PeerInfo client) {
    private static final Set<String> NAMED = Set.of(Methods.CALL_TOOL, Methods.GET_PROMPT, Methods.READ_RESOURCE,
            Methods.GET_TASK, Methods.UPDATE_TASK, Methods.CANCEL_TASK);

    /// Returns the revisions of this server, newest first.
    static ArrayNode supported() {
        ArrayNode versions = McpJson.array();
        Stream.of(Revision.values()).map(Revision::text).forEach(versions::add);
        return versions;
    }

    /// True for a request of the modern era.
    static boolean isModern(WebExchange exchange, RpcMessage.Request request) {
        JsonNode meta = request.params().path(Meta.FIELD);
        String version = exchange.header(Meta.VERSION_HEADER);
        return meta.has(Meta.VERSION) || meta.has(Meta.CLIENT_CAPABILITIES) || meta.has(Meta.CLIENT_INFO)
                || request.method().equals(Methods.DISCOVER)
                || (version != null && Revision.of(version.strip()).filter(Revision::isModern).isPresent());
    }

    /// Reads the envelope.
    ///
    /// @throws RpcException for one that is incomplete, that the headers contradict, or of an unknown revision
    static RequestEnvelope read(WebExchange exchange, RpcMessage.Request request) throws RpcException {
        JsonNode meta = request.params().path(Meta.FIELD);
        String version = meta.path(Meta.VERSION).stringValue(null);
        if (version == null)
            throw RpcException.invalid("The request needs _meta with " + Meta.VERSION + ".");
        if (!(meta.path(Meta.CLIENT_CAPABILITIES) instanceof ObjectNode capabilities))
            throw RpcException.invalid("The request needs _meta with " + Meta.CLIENT_CAPABILITIES + ", an object.");
        requireSame(exchange, Meta.VERSION_HEADER, version);
        Optional<Revision> revision = Revision.of(version).filter(Revision::isModern);
        if (revision.isEmpty())
            throw unsupported(version);
        requireSame(exchange, Meta.METHOD_HEADER, request.method());
        if (NAMED.contains(request.method()))
            checkName(exchange, request);
        return new RequestEnvelope(revision.get(), capabilities, PeerInfo.of(meta.path(Meta.CLIENT_INFO)));
    }

    private static RpcException unsupported(String version) {
        ObjectNode data = McpJson.object().put("requested", version);
        data.set("supported", supported());
        return new RpcException(new RpcError(RpcError.UNSUPPORTED_VERSION, "The server does not speak version "
                + version + " of the protocol in requests with _meta.", data));
    }

    private static void checkName(WebExchange exchange, RpcMessage.Request request) throws RpcException {
        String name = null;
        for (String field : List.of("name", "taskId", "uri")) {
            if (name == null)
                name = request.params().path(field).stringValue(null);
        }
        if (name != null)
            requireSame(exchange, Meta.NAME_HEADER, name);
    }

    private static void requireSame(WebExchange exchange, String header, String value) throws RpcException {
        String given = exchange.header(header);
        if (given == null)
            throw mismatch("The header " + header + " is missing; the body has '" + value + "' for it.");
        String text = HeaderText.decode(given.strip());
        if (!value.equals(text))
            throw mismatch("The header " + header + " does not match the body, which has '" + value + "'.");
    }

    static RpcException mismatch(String message) {
        return new RpcException(new RpcError(RpcError.HEADER_MISMATCH, message));
    }
}
