package dev.toolfleet.mcp.client;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import dev.toolfleet.mcp.rpc.RpcId;
import dev.toolfleet.mcp.transport.Dispatch;
import dev.toolfleet.mcp.transport.NoAnswer;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/// Request between its start and its end.
///
/// **Contract.** The first end counts. A request that ends without an answer is kept back if it has not left: then
/// nothing happened. Otherwise: a deadline passes while the request waits for a server that does not read, the caller
/// calls again elsewhere, and the server reads both.
///
/// **Threads.** Any.
final class Flight {
    private final RpcId.Whole id;
    private final String method;
    private final ProgressListener progress;
    private final CompletableFuture<Reply> reply = new CompletableFuture<>();
    private volatile @Nullable Dispatch dispatch;
    private volatile ObjectNode acknowledgement;

    Flight(RpcId.Whole id, String method, ProgressListener progress, ObjectNode nothing) {
        this.id = id;
        this.method = method;
        this.progress = progress;
        this.acknowledgement = nothing;
    }

    RpcId.Whole id() {
        return id;
    }

    String method() {
        return method;
    }

    ProgressListener progress() {
        return progress;
    }

    /// Learns how the request travels. If it has ended before, it is given up.
    void sent(Dispatch how) {
        dispatch = how;
        if (reply.isDone())
            how.abandon();
    }

    /// Ends the request, if it has not ended.
    boolean end(Reply how) {
        return reply.complete(how);
    }

    /// Ends the request without an answer. Between [Peer#start]'s entry and [#sent] it does nothing: the starting thread
    /// looks for the end of the connection afterwards.
    ///
    /// @return true if it has left, and the server may be at work for it
    boolean end(ServerOutcome.Cause cause, String reason) {
        Dispatch how = dispatch;
        if (how == null)
            return false;
        boolean left = !how.withdraw();
        NoAnswer answer = left ? new NoAnswer.Lost(reason) : new NoAnswer.NotSent(reason);
        return reply.complete(new Reply.None(cause, answer)) && left;
    }

    void abandon() {
        Dispatch how = dispatch;
        if (how != null)
            how.abandon();
    }

    /// Waits for the end; null if it does not come in that time.
    @Nullable
    Reply await(Duration timeout) throws InterruptedException {
        try {
            return reply.get(Math.max(0, timeout.toNanos()), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            return null;
        } catch (ExecutionException e) {
            throw new IllegalStateException("a flight ends with a reply", e);
        }
    }

    /// Waits for the end without a limit.
    Reply await() throws InterruptedException {
        try {
            return reply.get();
        } catch (ExecutionException e) {
            throw new IllegalStateException("a flight ends with a reply", e);
        }
    }

    /// Learns that the server has opened the subscription that this request wanted.
    void acknowledge(ObjectNode params) {
        acknowledgement = params;
    }

    /// Returns what the server acknowledged; empty before.
    ObjectNode acknowledgement() {
        return acknowledgement;
    }
}
