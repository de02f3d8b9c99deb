package dev.toolfleet.mcp.server;

import java.io.IOException;
import java.time.Clock;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;

import dev.toolfleet.mcp.protocol.Meta;
import dev.toolfleet.mcp.protocol.Methods;
import dev.toolfleet.mcp.protocol.Revision;
import dev.toolfleet.mcp.rpc.HeaderText;
import dev.toolfleet.mcp.rpc.McpJson;
import dev.toolfleet.mcp.rpc.RpcCodec;
import dev.toolfleet.mcp.rpc.RpcError;
import dev.toolfleet.mcp.rpc.RpcId;
import dev.toolfleet.mcp.rpc.RpcMessage;
import dev.toolfleet.mcp.rpc.UnreadableMessage;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/// Endpoint of a server over streamable HTTP, for clients of both eras.
///
/// **Contract.** The era is that of each request, so one address serves all clients. Each request is answered once. A
/// modern client that closes its stream cancels, and is noticed at the second beat; a legacy one cancels by a
/// notification, and its work goes on when its connection ends. Nothing is kept that another replica would miss: a
/// session is in its id, and a cancellation of a request that another replica has goes to [ToolService#cancelled].
///
/// **Threads.** Any. A request at work has a virtual thread of its own beside that of the transport, which writes.
///
/// @param <C> the type of callers
public final class McpEndpoint<C> {
    private static final int OK = 200;
    private static final int ACCEPTED = 202;
    private static final int BAD_REQUEST = 400;
    private static final int NOT_FOUND = 404;
    private static final int BUSY = 503;

    private final ToolService<C> service;
    private final ServerSettings settings;
    private final LegacySessions<C> sessions;
    private final MethodTable<C> methods;
    private final RpcCodec codec;
    private final ResponseWriter writer;
    private final Semaphore listeners;
    private final Map<RequestName, RequestControl> running = new ConcurrentHashMap<>();

    /// @param ids the ids of sessions; all replicas need the same keys
    public McpEndpoint(ToolService<C> service, ServerSettings settings, SessionIds ids, Clock clock) {
        this.service = service;
        this.settings = settings;
        this.methods = new MethodTable<>(service, settings);
        this.sessions = new LegacySessions<>(service, settings, methods, ids, clock);
        this.codec = new RpcCodec(settings.limits());
        this.writer = new ResponseWriter(codec, settings);
        this.listeners = new Semaphore(settings.maxListeners());
    }

    /// Name of a request at work: that of its session, and its id.
    private record RequestName(String session, RpcId id) {}

    /// Number of streams that only listen.
    public int listeners() {
        return settings.maxListeners() - listeners.availablePermits();
    }

    /// Answers a POST.
    ///
    /// @param body the bytes of the request
    /// @throws IOException when the client has gone
    public void post(WebExchange exchange, C caller, byte[] body) throws IOException {
        try {
            switch (codec.read(body)) {
                case RpcMessage.Request request -> request(exchange, caller, request);
                case RpcMessage.Notification notification -> notification(exchange, caller, notification);
                // This server sends its clients no requests, so no answer is expected.
                case RpcMessage.Result result -> exchange.respond(ACCEPTED, Map.of(), new byte[0]);
                case RpcMessage.Failure failure -> exchange.respond(ACCEPTED, Map.of(), new byte[0]);
            }
        } catch (UnreadableMessage e) {
            respond(exchange, BAD_REQUEST, new RpcMessage.Failure(e.id(), e.error()));
        }
    }

    /// Answers a GET: the stream on which a legacy client listens. To be called for requests that accept events.
    ///
    /// @throws IOException when the client has gone
    public void listen(WebExchange exchange, C caller) throws IOException {
        service.admit(caller, Methods.LISTEN);
        try {
            ServerContext<C> context = sessions.context(exchange, caller, McpJson.object());
            RpcMessage.Request request = new RpcMessage.Request(new RpcId.Whole(0), Methods.LISTEN, McpJson.object());
            listen(exchange, context, request, new ListenFilter(settings.reportsToolChanges(), Set.of()));
        } catch (LegacySessions.UnknownSession e) {
            respond(exchange, NOT_FOUND, new RpcMessage.Failure(null, e.error()));
        } catch (RpcException e) {
            respond(exchange, BAD_REQUEST, new RpcMessage.Failure(null, e.error()));
        }
    }

    private void request(WebExchange exchange, C caller, RpcMessage.Request request) throws IOException {
        service.admit(caller, request.method());
        try {
            if (RequestEnvelope.isModern(exchange, request)) {
                modern(exchange, caller, request);
            } else if (request.method().equals(Methods.INITIALIZE)) {
                LegacySessions.Opened opened = sessions.open(caller, request);
                byte[] json = codec.write(new RpcMessage.Result(request.id(), opened.result()));
                exchange.respond(OK, Map.of(Meta.SESSION_HEADER, opened.id()), json);
            } else {
                legacy(exchange, sessions.context(exchange, caller, meta(request.params())), request);
            }
        } catch (LegacySessions.UnknownSession e) {
            respond(exchange, NOT_FOUND, new RpcMessage.Failure(request.id(), e.error()));
        } catch (RpcException e) {
            respond(exchange, BAD_REQUEST, new RpcMessage.Failure(request.id(), e.error()));
        }
    }

    private void modern(WebExchange exchange, C caller, RpcMessage.Request request) throws RpcException, IOException {
        RequestEnvelope envelope = RequestEnvelope.read(exchange, request);
        ServerContext<C> context = new ServerContext<>(caller, envelope.revision(), envelope.capabilities(),
                envelope.client(), meta(request.params()), null);
        if (request.method().equals(Methods.LISTEN)) {
            listen(exchange, context, request, ListenFilter.of(request.params().path("notifications"), settings));
            return;
        }
        RequestControl control = RequestControl.of(request);
        start(exchange, context, request, control);
        if (!writer.write(exchange, control, true))
            control.cancel();
    }

    private void legacy(WebExchange exchange, ServerContext<C> context, RpcMessage.Request request)
            throws IOException {
        LegacySession session = context.session();
        RequestName name = new RequestName(session == null ? "" : session.name(), request.id());
        RequestControl control = RequestControl.of(request);
        // Before the work begins: a cancellation in between would go to another replica, which has nothing to cancel.
        if (session != null)
            running.put(name, control);
        try {
            start(exchange, context, request, control);
            if (!writer.write(exchange, control, false))
                control.leave();
        } finally {
            running.remove(name, control);
        }
    }

    private void start(WebExchange exchange, ServerContext<C> context, RpcMessage.Request request,
            RequestControl control) {
        Thread.ofVirtual().name("mcp-request").start(
                () -> control.box().end(answer(exchange, context, request, control)));
    }

    private RpcMessage answer(WebExchange exchange, ServerContext<C> context, RpcMessage.Request request,
            RequestControl control) {
        try {
            if (request.method().equals(Methods.CALL_TOOL) && context.revision().isModern())
                checkParameters(exchange, context, request);
            return new RpcMessage.Result(request.id(), methods.answer(context, request, control));
        } catch (RpcException e) {
            return new RpcMessage.Failure(request.id(), e.error());
        } catch (InterruptedException e) {
            return new RpcMessage.Failure(request.id(),
                    new RpcError(RpcError.INTERNAL, "The server is stopping. Send the request again."));
        } catch (RuntimeException e) {
            service.failed(request.method(), e);
            return new RpcMessage.Failure(request.id(), new RpcError(RpcError.INTERNAL,
                    "The request met a fault of the server, whose log has the reason."));
        }
    }

    /// Compares the headers that repeat arguments, of a tool whose schema names some.
    private void checkParameters(WebExchange exchange, ServerContext<C> context, RpcMessage.Request request)
            throws RpcException, InterruptedException {
        Optional<String> wrong = service.find(context, request.params().path("name").asString(""))
                .map(tool -> tool.parameters().mismatch(exchange::header, request.params().path("arguments")));
        if (wrong.isPresent())
            throw RequestEnvelope.mismatch("Of the arguments that headers repeat: " + wrong.get() + ".");
    }

    private void listen(WebExchange exchange, ServerContext<C> context, RpcMessage.Request request,
            ListenFilter filter) throws IOException, RpcException {
        if (!listeners.tryAcquire()) {
            respond(exchange, BUSY, new RpcMessage.Failure(request.id(), new RpcError(RpcError.INTERNAL,
                    "The server has " + settings.maxListeners() + " streams that listen, and takes no more now.")));
            return;
        }
        RequestControl control = RequestControl.ofListener();
        BoxedChanges changes = new BoxedChanges(control.box(), context.revision().isModern() ? request.id() : null);
        try {
            changes.acknowledge(filter);
            Runnable end = filter.isEmpty() ? () -> {} : service.listen(context, filter, changes);
            try {
                writer.stream(exchange, control);
            } finally {
                end.run();
            }
        } finally {
            listeners.release();
        }
    }

    private void notification(WebExchange exchange, C caller, RpcMessage.Notification notification)
            throws IOException {
        service.admit(caller, notification.method());
        try {
            ServerContext<C> context = sessions.context(exchange, caller, meta(notification.params()));
            if (notification.method().equals(Methods.CANCELLED))
                cancelled(context, notification.params());
            exchange.respond(ACCEPTED, Map.of(), new byte[0]);
        } catch (LegacySessions.UnknownSession e) {
            respond(exchange, NOT_FOUND, new RpcMessage.Failure(null, e.error()));
        } catch (RpcException e) {
            respond(exchange, BAD_REQUEST, new RpcMessage.Failure(null, e.error()));
        }
    }

    private void cancelled(ServerContext<C> context, ObjectNode params) {
        LegacySession session = context.session();
        RpcId id = RpcId.of(params.get("requestId"));
        if (session == null || id == null)
            return;
        RequestControl control = running.get(new RequestName(session.name(), id));
        if (control != null)
            control.cancel();
        else
            service.cancelled(context, id, params.path("reason").stringValue(""));
    }

    private void respond(WebExchange exchange, int status, RpcMessage message) throws IOException {
        exchange.respond(status, Map.of(), codec.write(message));
    }

    private static ObjectNode meta(ObjectNode params) {
        return params.path(Meta.FIELD) instanceof ObjectNode meta ? meta : McpJson.object();
    }

    /// Decodes a header as MCP encodes it; null for none and for one that is malformed.
    static @Nullable String text(WebExchange exchange, String header) {
        String value = exchange.header(header);
        return value == null ? null : HeaderText.decode(value.strip());
    }

    /// Returns the revision of a header; nothing without one.
    static Optional<Revision> revision(WebExchange exchange) {
        String value = text(exchange, Meta.VERSION_HEADER);
        return value == null ? Optional.empty() : Revision.of(value);
    }
}
