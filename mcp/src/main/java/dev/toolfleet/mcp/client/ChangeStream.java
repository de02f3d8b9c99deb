package dev.toolfleet.mcp.client;

import java.time.Duration;
import java.util.Map;

import dev.toolfleet.mcp.protocol.Methods;
import dev.toolfleet.mcp.rpc.McpJson;
import dev.toolfleet.mcp.rpc.RpcError;
import dev.toolfleet.mcp.transport.NoAnswer;
import tools.jackson.databind.node.ObjectNode;

/// Subscription to changes of the list of tools (`subscriptions/listen`), opened again whenever it ends.
///
/// **Contract.** Each opening after the first counts as a change, since one may have been missed between.
///
/// **Threads.** A virtual thread of its own.
final class ChangeStream {
    private static final Duration FIRST_WAIT = Duration.ofSeconds(1);
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(60);

    private final Peer peer;
    private final ModernEra era;
    private final ServerListener listener;
    private final Thread thread;

    private ChangeStream(Peer peer, ModernEra era, ServerListener listener) {
        this.peer = peer;
        this.era = era;
        this.listener = listener;
        this.thread = Thread.ofVirtual().name("mcp-changes").unstarted(this::follow);
    }

    static ChangeStream start(Peer peer, ModernEra era, ServerListener listener) {
        ChangeStream stream = new ChangeStream(peer, era, listener);
        stream.thread.start();
        return stream;
    }

    void stop() {
        thread.interrupt();
    }

    private void follow() {
        Duration wait = FIRST_WAIT;
        boolean again = false;
        try {
            while (peer.isOpen()) {
                Flight flight = open();
                if (again)
                    listener.toolsChanged();
                Reply reply = ended(flight);
                if (isFinal(reply))
                    return;
                wait = flight.acknowledgement().isEmpty() ? longer(wait) : FIRST_WAIT;
                again = true;
                Thread.sleep(wait);
            }
        } catch (InterruptedException e) {
            // Stopped.
        }
    }

    private Flight open() {
        ObjectNode params = McpJson.object();
        params.set("notifications", McpJson.object().put("toolsListChanged", true));
        return peer.start(Methods.LISTEN, era.params(params), Map.of(), ProgressListener.NONE);
    }

    private Reply ended(Flight flight) throws InterruptedException {
        try {
            return flight.await();
        } catch (InterruptedException e) {
            peer.cancel(flight, ServerOutcome.Cause.CANCELLED, "the client stops listening");
            throw e;
        }
    }

    /// True if the server will not open another one.
    private static boolean isFinal(Reply reply) {
        return switch (reply) {
            case Reply.Failure(RpcError error) -> error.isRefusal();
            case Reply.None(var cause, NoAnswer.Rejected rejected) -> rejected.status() != 429;
            case Reply.None none -> false;
            case Reply.Result result -> false;
        };
    }

    private static Duration longer(Duration wait) {
        Duration twice = wait.multipliedBy(2);
        return twice.compareTo(LONGEST_WAIT) > 0 ? LONGEST_WAIT : twice;
    }
}
