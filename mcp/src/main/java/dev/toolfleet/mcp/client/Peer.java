package dev.toolfleet.mcp.client;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

import dev.toolfleet.mcp.protocol.Meta;
import dev.toolfleet.mcp.protocol.Methods;
import dev.toolfleet.mcp.rpc.McpJson;
import dev.toolfleet.mcp.rpc.RpcError;
import dev.toolfleet.mcp.rpc.RpcId;
import dev.toolfleet.mcp.rpc.RpcMessage;
import dev.toolfleet.mcp.transport.NoAnswer;
import dev.toolfleet.mcp.transport.Receiver;
import dev.toolfleet.mcp.transport.Transport;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Other side of a conversation: requests that wait for it, and its messages.
///
/// **Contract.** Each request ends once. An answer to a request that has ended is passed over; one to a request that
/// never was, and bytes that are no message, count as faults, and the hundredth ends the conversation.
///
/// **Threads.** Any; messages come from threads of the transport.
final class Peer implements Receiver, AutoCloseable {
    /// The number of faults that ends a conversation.
    static final int MOST_FAULTS = 100;

    private final Transport transport;
    private final ServerListener listener;
    private final Map<Long, Flight> flights = new ConcurrentHashMap<>();
    private final AtomicLong lastId = new AtomicLong();
    private final AtomicInteger faults = new AtomicInteger();
    private volatile @Nullable String closed;

    Peer(Transport transport, ServerListener listener) {
        this.transport = transport;
        this.listener = listener;
    }

    static Peer over(Transport transport, ServerListener listener) {
        Peer peer = new Peer(transport, listener);
        transport.open(peer);
        return peer;
    }

    Transport transport() {
        return transport;
    }

    boolean isOpen() {
        return closed == null;
    }

    /// Starts a request. The number of the request is its token for progress.
    @SuppressWarnings("ReferenceEquality") // The listener that ignores everything is one object.
    Flight start(String method, ObjectNode params, Map<String, String> headers, ProgressListener progress) {
        RpcId.Whole id = new RpcId.Whole(lastId.incrementAndGet());
        Flight flight = new Flight(id, method, progress, McpJson.object());
        if (progress != ProgressListener.NONE)
            params.withObject("/" + Meta.FIELD).put(Meta.PROGRESS_TOKEN, id.value());
        flights.put(id.value(), flight);
        String reason = closed;
        if (reason != null) {
            end(flight, Reply.None.of(new NoAnswer.NotSent(reason)));
            return flight;
        }
        try {
            flight.sent(transport.send(new RpcMessage.Request(id, method, params), headers));
        } catch (IllegalArgumentException e) {
            end(flight, Reply.None.of(new NoAnswer.NotSent("the request cannot be made: " + e.getMessage())));
        }
        if (closed != null)
            end(flight, ServerOutcome.Cause.CONNECTION, "the connection has ended");
        return flight;
    }

    /// Waits for the answer, and ends the request when the time is over.
    Reply await(Flight flight, Duration timeout) throws InterruptedException {
        Reply reply = flight.await(timeout);
        if (reply == null) {
            cancel(flight, ServerOutcome.Cause.DEADLINE, "no answer within " + timeout.toMillis() + " ms");
            reply = flight.await();
        }
        flights.remove(flight.id().value());
        return reply;
    }

    /// Sends a request and waits for its result.
    ObjectNode request(String method, ObjectNode params, Duration timeout) throws McpException, InterruptedException {
        Reply reply = await(start(method, params, Map.of(), ProgressListener.NONE), timeout);
        if (reply instanceof Reply.Result(ObjectNode result))
            return result;
        throw McpException.of(method, reply);
    }

    void notify(String method, ObjectNode params) {
        transport.send(new RpcMessage.Notification(method, params), Map.of());
    }

    /// Ends a request that the caller does not want any more, and lets the server know if the request has left.
    void cancel(Flight flight, ServerOutcome.Cause cause, String reason) {
        boolean left = end(flight, cause, reason);
        if (left && !transport.cancelsByClose() && !flight.method().equals(Methods.INITIALIZE) && isOpen()) {
            ObjectNode params = McpJson.object().put("reason", reason);
            params.set("requestId", flight.id().json());
            notify(Methods.CANCELLED, params);
        }
        flight.abandon();
    }

    @Override
    public void received(RpcMessage message) {
        switch (message) {
            case RpcMessage.Result(RpcId id, ObjectNode result) -> answered(id, new Reply.Result(result));
            case RpcMessage.Failure(RpcId id, RpcError error) -> answered(id, new Reply.Failure(error));
            case RpcMessage.Request request -> answer(request);
            case RpcMessage.Notification notification -> learn(notification);
        }
    }

    @Override
    public void unanswered(RpcId id, NoAnswer reason) {
        answered(id, Reply.None.of(reason));
    }

    @Override
    public void unreadable(String reason) {
        if (faults.incrementAndGet() == MOST_FAULTS) {
            transport.close();
            closed("the server sent " + MOST_FAULTS + " messages that cannot be read; the last: " + reason);
        }
    }

    @Override
    public void closed(String reason) {
        if (closed != null)
            return;
        closed = reason;
        flights.values().forEach(flight -> end(flight, ServerOutcome.Cause.CONNECTION, reason));
        listener.closed(reason);
    }

    @Override
    public void close() {
        if (closed == null)
            closed = "the connection was closed";
        transport.close();
        flights.values().forEach(
                flight -> end(flight, ServerOutcome.Cause.CONNECTION, "the connection was closed"));
    }

    private boolean end(Flight flight, ServerOutcome.Cause cause, String reason) {
        flights.remove(flight.id().value());
        return flight.end(cause, reason);
    }

    private void end(Flight flight, Reply reply) {
        flights.remove(flight.id().value());
        flight.end(reply);
    }

    private void answered(@Nullable RpcId id, Reply reply) {
        if (id instanceof RpcId.Whole(long number) && number > 0 && number <= lastId.get()) {
            Flight flight = flights.get(number);
            if (flight != null)
                end(flight, reply);
            return;
        }
        unreadable(id == null
                ? "an answer without an id: " + reply.text()
                : "an answer to a request that never was: " + id.json());
    }

    private void learn(RpcMessage.Notification notification) {
        ObjectNode params = notification.params();
        switch (notification.method()) {
            case Methods.PROGRESS -> {
                Flight flight = find(params.path(Meta.PROGRESS_TOKEN));
                if (flight != null)
                    flight.progress().progressed(ServerProgress.of(notification));
            }
            case Methods.TOOLS_CHANGED -> listener.toolsChanged();
            case Methods.LISTENING -> {
                Flight flight = find(params.path(Meta.FIELD).path(Meta.SUBSCRIPTION));
                if (flight != null)
                    flight.acknowledge(params);
            }
            case Methods.CANCELLED -> {
                Flight flight = find(params.path("requestId"));
                if (flight != null && flight.method().equals(Methods.LISTEN))
                    end(flight, Reply.None.of(new NoAnswer.Lost("the server ended the subscription")));
            }
            default -> {
                // Logs, tasks and changes that no caller here wants.
            }
        }
    }

    private @Nullable Flight find(JsonNode id) {
        return id.isIntegralNumber() && id.canConvertToLong() ? flights.get(id.longValue()) : null;
    }

    /// Answers requests of a legacy server: it may find out if this side is there and which folders it has; models and
    /// people are not within its reach.
    private void answer(RpcMessage.Request request) {
        RpcMessage answer = switch (request.method()) {
            case Methods.PING -> new RpcMessage.Result(request.id(), McpJson.object());
            case Methods.LIST_ROOTS -> {
                ObjectNode roots = McpJson.object();
                roots.set("roots", McpJson.array());
                yield new RpcMessage.Result(request.id(), roots);
            }
            default -> new RpcMessage.Failure(request.id(), new RpcError(RpcError.METHOD_NOT_FOUND, "The client has no "
                    + "method " + request.method() + ", and did not declare a capability for it."));
        };
        if (transport.cancelsByClose()) {
            unreadable("a request of the server, which a modern one must not send: " + request.method());
            return;
        }
        transport.send(answer, Map.of());
    }
}
