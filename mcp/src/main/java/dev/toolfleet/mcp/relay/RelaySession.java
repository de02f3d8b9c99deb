package dev.toolfleet.mcp.relay;

import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import dev.toolfleet.mcp.protocol.Methods;
import dev.toolfleet.mcp.protocol.Revision;
import dev.toolfleet.mcp.rpc.McpJson;
import dev.toolfleet.mcp.rpc.RpcId;
import dev.toolfleet.mcp.rpc.RpcMessage;
import dev.toolfleet.mcp.transport.Dispatch;
import dev.toolfleet.mcp.transport.HttpChannel;
import dev.toolfleet.mcp.transport.LegacyHttp;
import dev.toolfleet.mcp.transport.NoAnswer;
import dev.toolfleet.mcp.transport.Receiver;
import org.jspecify.annotations.Nullable;

/// Session of a client of an older revision at a server, opened again when the server has ended it.
///
/// **Contract.** The client sees one session. What the client said in `initialize` is said to the server again.
///
/// **Threads.** Any. [#renew] waits on the caller's thread; one caller at a time opens a session.
final class RelaySession {
    private static final int PATIENCE_SECONDS = 30;
    private static final RpcId OWN = new RpcId.Text("toolfleet-relay-initialize");

    private final HttpChannel channel;
    private final Receiver receiver;
    private LegacyHttp transport;
    private RpcMessage.@Nullable Request opening;

    RelaySession(HttpChannel channel, Receiver receiver) {
        this.channel = channel;
        this.receiver = receiver;
        this.transport = open(receiver);
    }

    private LegacyHttp open(Receiver to) {
        LegacyHttp made = new LegacyHttp(channel);
        made.open(to);
        return made;
    }

    /// Sends a message of the client.
    Dispatch send(RpcMessage message) {
        LegacyHttp present = present();
        Dispatch dispatch = present.send(message, Map.of());
        if (message instanceof RpcMessage.Request request && request.method().equals(Methods.INITIALIZE))
            remember(request);
        if (message instanceof RpcMessage.Notification(String method, var _) && method.equals(Methods.INITIALIZED))
            present.listen();
        return dispatch;
    }

    synchronized LegacyHttp present() {
        return transport;
    }

    private synchronized void remember(RpcMessage.Request request) {
        opening = request;
    }

    /// Learns of a result for the client. That of `initialize` has the revision of the rest.
    void answered(RpcMessage.Result result) {
        RpcMessage.Request asked;
        LegacyHttp present;
        synchronized (this) {
            asked = opening;
            present = transport;
        }
        if (asked != null && asked.id().equals(result.id()))
            agree(present, result);
    }

    private static void agree(LegacyHttp transport, RpcMessage.Result result) {
        Revision.of(result.result().path("protocolVersion").asString("")).ifPresent(transport::agreed);
    }

    /// Opens a session in the place of one that has ended, unless another thread has done so.
    ///
    /// @param ended the transport whose session it was
    /// @return false if the client has opened none, or the server opens none
    synchronized boolean renew(LegacyHttp ended) throws InterruptedException {
        RpcMessage.Request asked = opening;
        if (ended != transport)
            return true;
        if (asked == null)
            return false;
        CompletableFuture<RpcMessage.Result> answer = new CompletableFuture<>();
        LegacyHttp next = open(new Opening(receiver, answer));
        next.send(new RpcMessage.Request(OWN, Methods.INITIALIZE, asked.params()), Map.of());
        try {
            agree(next, answer.get(PATIENCE_SECONDS, TimeUnit.SECONDS));
        } catch (ExecutionException | TimeoutException e) {
            return false;
        }
        next.send(new RpcMessage.Notification(Methods.INITIALIZED, McpJson.object()), Map.of());
        next.listen();
        transport = next;
        return true;
    }

    /// Takes the answer to the relay's own `initialize`, and leaves all else to the client's receiver.
    private record Opening(Receiver client, CompletableFuture<RpcMessage.Result> answer) implements Receiver {
        @Override
        public void received(RpcMessage message) {
            if (message instanceof RpcMessage.Result result && result.id().equals(OWN))
                answer.complete(result);
            else if (message instanceof RpcMessage.Failure(RpcId id, var error) && OWN.equals(id))
                answer.completeExceptionally(new IllegalStateException(error.message()));
            else
                client.received(message);
        }

        @Override
        public void unanswered(RpcId id, NoAnswer reason) {
            if (id.equals(OWN))
                answer.completeExceptionally(new IllegalStateException(reason.reason()));
            else
                client.unanswered(id, reason);
        }

        @Override
        public void unreadable(String reason) {
            client.unreadable(reason);
        }

        @Override
        public void closed(String reason) {
            client.closed(reason);
        }
    }
}
