package dev.toolfleet.mcp.relay;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

import dev.toolfleet.mcp.protocol.Meta;
import dev.toolfleet.mcp.protocol.Methods;
import dev.toolfleet.mcp.rpc.Line;
import dev.toolfleet.mcp.rpc.LineReader;
import dev.toolfleet.mcp.rpc.RpcCodec;
import dev.toolfleet.mcp.rpc.RpcError;
import dev.toolfleet.mcp.rpc.RpcId;
import dev.toolfleet.mcp.rpc.RpcMessage;
import dev.toolfleet.mcp.rpc.UnreadableMessage;
import dev.toolfleet.mcp.transport.Dispatch;
import dev.toolfleet.mcp.transport.HttpChannel;
import dev.toolfleet.mcp.transport.HttpEndpoint;
import dev.toolfleet.mcp.transport.LegacyHttp;
import dev.toolfleet.mcp.transport.ModernHttp;
import dev.toolfleet.mcp.transport.NoAnswer;
import dev.toolfleet.mcp.transport.Receiver;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/// Server over the standard streams whose requests are those of a server over HTTP, in both eras.
///
/// **Contract.** Each request of the client gets one answer, unless the client cancels it. A request that did not
/// reach the server is sent again for as long as [Settings#patience]. A call of a tool has an idempotency key, the
/// client's or one of the relay's, so one whose answer is lost is sent again as well, and so is what only reads. Any
/// other request whose answer is lost ends with an error, and so does a call whose session has ended meanwhile, unless
/// keys outlive sessions. Otherwise: the call runs in the session that is lost, and again in the next one.
///
/// **Threads.** [#run] reads on the caller's thread. Answers are written by threads of the transports, one at a time.
///
/// **Why.** The era of a message is its own: a message with a version in `_meta` is modern, and so is what cancels it.
public final class StdioRelay {
    /// Field of `_meta` with the key by which a server knows a call again.
    private static final String KEY = "dev.toolfleet/idempotencyKey";
    /// Answers of proxies whose server is away.
    private static final int BAD_GATEWAY = 502;
    private static final int GATEWAY_TIMEOUT = 504;
    /// A request that ends its server each time is not sent for ever.
    private static final int MOST_LOSSES = 10;
    private static final Duration BETWEEN = Duration.ofMillis(500);
    /// The time for answers that are under way when the client closes its side.
    private static final Duration LAST = Duration.ofSeconds(5);
    private static final Set<String> REPEATABLE = Set.of(Methods.DISCOVER, Methods.INITIALIZE, Methods.PING,
            Methods.LIST_TOOLS, Methods.LIST_PROMPTS, Methods.LIST_RESOURCES, Methods.LIST_TEMPLATES,
            Methods.GET_PROMPT, Methods.READ_RESOURCE, Methods.GET_TASK, Methods.TASK_RESULT, Methods.CANCEL_TASK,
            Methods.LISTEN, Methods.CALL_TOOL);

    private final Settings settings;
    private final RpcCodec codec;
    private final OutputStream out;
    private final HttpChannel channel;
    private final ModernHttp modern;
    private final RelaySession session;
    private final Map<RpcId, Flight> flights = new ConcurrentHashMap<>();
    private final String keys = UUID.randomUUID().toString();
    private final AtomicLong calls = new AtomicLong();

    /// Settings of a relay.
    ///
    /// @param endpoint the server
    /// @param keysOutliveSessions true if the server knows a call by its key in another session, too
    /// @param patience the longest time for which a server may be away before requests end with an error
    /// @param notices receives messages for people, a line each
    public record Settings(HttpEndpoint endpoint, boolean keysOutliveSessions, Duration patience,
            Consumer<String> notices) {}

    /// Request that has no answer yet.
    ///
    /// @param legacy the transport of an older revision that has it; null for a modern request
    /// @param dispatch null before it is sent
    /// @param awayAt the time since when the server is away, by [System#nanoTime]; null if it is not
    /// @param losses the number of times that it may have reached the server without an answer
    private record Flight(RpcMessage.Request request, boolean isModern, @Nullable LegacyHttp legacy,
            @Nullable Dispatch dispatch, @Nullable Long awayAt, int losses) {
        static Flight of(RpcMessage.Request request) {
            return new Flight(request, request.params().path(Meta.FIELD).has(Meta.VERSION), null, null, null, 0);
        }

        Flight sent(@Nullable LegacyHttp by, @Nullable Dispatch as) {
            return new Flight(request, isModern, by, as, awayAt, losses);
        }

        /// A request that is lost had reached the server: the server's absence begins anew.
        Flight failed(boolean isLost, long now) {
            return new Flight(request, isModern, null, null, isLost || awayAt == null ? Long.valueOf(now) : awayAt,
                    isLost ? losses + 1 : losses);
        }

        boolean isAwayFor(Duration patience, long now) {
            return awayAt != null && now - awayAt >= patience.toNanos();
        }
    }

    /// @param codec with the limits of messages
    /// @param out where answers go, a line each
    public StdioRelay(Settings settings, RpcCodec codec, OutputStream out) {
        this.settings = settings;
        this.codec = codec;
        this.out = out;
        this.channel = new HttpChannel(settings.endpoint(), codec);
        this.modern = new ModernHttp(channel);
        Receiver receiver = new FromServer();
        this.modern.open(receiver);
        this.session = new RelaySession(channel, receiver);
    }

    /// Relays until the client closes its side.
    ///
    /// @throws IOException if the client's side cannot be read
    public void run(InputStream in) throws IOException, InterruptedException {
        LineReader lines = new LineReader(in, codec.limits().maxBytes());
        try {
            for (Line line = lines.next(); line != null; line = lines.next())
                take(line);
            long end = System.nanoTime() + LAST.toNanos();
            while (!flights.isEmpty() && System.nanoTime() - end < 0)
                Thread.sleep(10);
        } finally {
            session.present().close();
            channel.close();
        }
    }

    private void take(Line line) {
        switch (line) {
            case Line.Whole(byte[] bytes) -> {
                try {
                    take(codec.read(bytes));
                } catch (UnreadableMessage e) {
                    write(new RpcMessage.Failure(e.id(), e.error()));
                }
            }
            case Line.TooLong(RpcId id, long bytes) -> write(new RpcMessage.Failure(id, new RpcError(
                    RpcError.INVALID_REQUEST, "The message has " + bytes + " bytes; at most "
                            + codec.limits().maxBytes() + " are accepted.")));
        }
    }

    private void take(RpcMessage message) {
        switch (message) {
            case RpcMessage.Request request -> {
                synchronized (flights) {
                    dispatch(Flight.of(named(request)));
                }
            }
            case RpcMessage.Notification(String method, ObjectNode params) when method.equals(Methods.CANCELLED) ->
                cancel(message, RpcId.of(params.get("requestId")));
            default -> session.send(message);
        }
    }

    private void cancel(RpcMessage message, @Nullable RpcId id) {
        Flight flight;
        synchronized (flights) {
            flight = id == null ? null : flights.remove(id);
        }
        if (flight != null && flight.isModern) {
            if (flight.dispatch != null)
                flight.dispatch.abandon();
        } else {
            session.send(message);
        }
    }

    /// Gives a call a key, unless it has one.
    private RpcMessage.Request named(RpcMessage.Request request) {
        if (!request.method().equals(Methods.CALL_TOOL) || request.params().path(Meta.FIELD).has(KEY))
            return request;
        ObjectNode params = request.params().deepCopy();
        params.withObject("/" + Meta.FIELD).put(KEY, keys + "/" + calls.incrementAndGet());
        return new RpcMessage.Request(request.id(), request.method(), params);
    }

    /// Sends a request. The caller holds the lock of the flights. Otherwise: the client cancels a request between the look
    /// for it and its second leaving, and nothing takes it back.
    private void dispatch(Flight flight) {
        RpcId id = flight.request.id();
        LegacyHttp legacy = flight.isModern ? null : session.present();
        // In the map before it leaves: the answer may come before `send` returns.
        flights.put(id, flight.sent(legacy, null));
        Dispatch sent = flight.isModern
                ? modern.send(flight.request, Map.of())
                : session.send(flight.request);
        flights.computeIfPresent(id, (_, present) -> present.sent(legacy, sent));
    }

    /// Answers of the server, on threads of the transports.
    private final class FromServer implements Receiver {
        @Override
        public void received(RpcMessage message) {
            switch (message) {
                case RpcMessage.Result result -> {
                    session.answered(result);
                    answer(result.id(), result);
                }
                case RpcMessage.Failure(RpcId id, var _) when id != null -> answer(id, message);
                default -> write(message);
            }
        }

        private void answer(RpcId id, RpcMessage message) {
            if (flights.remove(id) != null)
                write(message);
        }

        @Override
        public void unanswered(RpcId id, NoAnswer reason) {
            Thread.ofVirtual().name("mcp-relay").start(() -> again(id, reason));
        }

        @Override
        public void unreadable(String reason) {
            settings.notices().accept("the server sent what is no message: " + reason);
        }

        @Override
        public void closed(String reason) {
            // The request that met the end of the session opens the next one.
        }
    }

    private void again(RpcId id, NoAnswer reason) {
        Flight flight = flights.get(id);
        if (flight == null)
            return;
        boolean mayHaveReached = reason instanceof NoAnswer.Lost || reason instanceof NoAnswer.Rejected;
        Flight failed = flight.failed(mayHaveReached, System.nanoTime());
        try {
            if (mayRepeat(failed, flight.legacy, reason)) {
                if (flight.awayAt == null)
                    settings.notices().accept("no answer to " + flight.request.method() + ", trying again: "
                            + reason.reason());
                Thread.sleep(BETWEEN);
                synchronized (flights) {
                    if (flights.containsKey(id))
                        dispatch(failed);
                }
                return;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (flights.remove(id) != null)
            write(new RpcMessage.Failure(id, new RpcError(RpcError.INTERNAL, "The server at "
                    + settings.endpoint().uri() + " gave no answer to " + flight.request.method() + ": "
                    + reason.reason())));
    }

    private boolean mayRepeat(Flight flight, @Nullable LegacyHttp legacy, NoAnswer reason)
            throws InterruptedException {
        if (flight.isAwayFor(settings.patience(), System.nanoTime()) || flight.losses > MOST_LOSSES)
            return false;
        return switch (reason) {
            case NoAnswer.NotSent _ -> true;
            case NoAnswer.SessionEnded _ -> legacy != null && mayChangeSession(flight) && session.renew(legacy);
            case NoAnswer.Lost _ -> REPEATABLE.contains(flight.request.method());
            case NoAnswer.Rejected(int status, var _, var _) ->
                status >= BAD_GATEWAY && status <= GATEWAY_TIMEOUT && REPEATABLE.contains(flight.request.method());
            case NoAnswer.Unreadable _ -> false;
        };
    }

    private boolean mayChangeSession(Flight flight) {
        return flight.losses == 0 || settings.keysOutliveSessions()
                || !flight.request.method().equals(Methods.CALL_TOOL);
    }

    private synchronized void write(RpcMessage message) {
        try {
            out.write(codec.write(message));
            out.write('\n');
            out.flush();
        } catch (IOException e) {
            // The client has gone; its input ends, too.
        }
    }
}
