package dev.toolfleet.mcp.transport;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;

import dev.toolfleet.mcp.protocol.Meta;
import dev.toolfleet.mcp.protocol.Revision;
import dev.toolfleet.mcp.rpc.RpcId;
import dev.toolfleet.mcp.rpc.RpcMessage;
import dev.toolfleet.mcp.rpc.SseReader;
import org.jspecify.annotations.Nullable;

/// Streamable HTTP of 2025-03-26 to 2025-11-25: a session that `initialize` opens, a stream for messages that belong to
/// no request, and streams that a reader resumes.
public final class LegacyHttp implements Transport {
    private static final String EVENTS = "text/event-stream";
    private static final int NOT_FOUND = 404;
    private static final int MOST_OTHERS = 64;

    private final HttpChannel channel;
    private final HttpResume resume;
    /// Bounds what a server can make a client send: each of its requests is answered by a POST.
    private final Semaphore others = new Semaphore(MOST_OTHERS);
    private final AtomicReference<@Nullable Thread> listener = new AtomicReference<>();
    private volatile @Nullable Receiver receiver;
    private volatile @Nullable String session;
    private volatile @Nullable Revision revision;
    private volatile boolean closed;

    /// A transport over that channel.
    public LegacyHttp(HttpChannel channel) {
        this.channel = channel;
        this.resume = new HttpResume(channel, this::conversation);
    }

    @Override
    public void open(Receiver receiver) {
        this.receiver = receiver;
    }

    @Override
    public void agreed(Revision revision) {
        this.revision = revision;
    }

    @Override
    public boolean cancelsByClose() {
        return false;
    }

    @Override
    public Dispatch send(RpcMessage message, Map<String, String> headers) {
        HttpPost post = new HttpPost();
        RpcId id = message instanceof RpcMessage.Request(RpcId asked, var method, var params) ? asked : null;
        if (id == null && !others.tryAcquire()) {
            post.withdraw();
            return post;
        }
        Map<String, String> all = new TreeMap<>(headers);
        all.putAll(conversation());
        all.put("Content-Type", "application/json");
        all.put("Accept", "application/json, " + EVENTS);
        HttpRequest.Builder request = channel.request(all);
        Receiver to = HttpFailure.receiver(receiver);
        post.send(channel.client(), request, channel.codec().write(message), (response, failure) -> {
            try {
                if (id == null)
                    end(response);
                else if (response == null)
                    to.unanswered(id, HttpFailure.of(post, failure));
                else
                    take(response, id, post, to);
            } catch (IOException | UncheckedIOException e) {
                if (id != null)
                    to.unanswered(id, HttpFailure.of(post, e));
            } finally {
                post.abandon();
                if (id == null)
                    others.release();
            }
        });
        return post;
    }

    /// Opens the GET stream, once, on a virtual thread.
    @Override
    public void listen() {
        Receiver to = HttpFailure.receiver(receiver);
        Thread thread = Thread.ofVirtual().name("mcp-listen").unstarted(() -> resume.follow(to, () -> closed));
        if (listener.compareAndSet(null, thread))
            thread.start();
    }

    @Override
    public void close() {
        stopListening();
        if (session != null) {
            try {
                channel.client().sendAsync(channel.request(conversation()).DELETE().build(),
                        HttpResponse.BodyHandlers.discarding()).get(1, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } catch (ExecutionException | TimeoutException e) {
                // The server ends the session itself at some time.
            }
        }
        channel.close();
    }

    private void stopListening() {
        closed = true;
        Thread listens = listener.get();
        if (listens != null)
            listens.interrupt();
    }

    private void take(HttpResponse<InputStream> response, RpcId id, HttpPost post, Receiver to)
            throws IOException {
        response.headers().firstValue(Meta.SESSION_HEADER).ifPresent(given -> session = given);
        HttpAnswer answer = new HttpAnswer(channel, id, to);
        if (response.statusCode() == NOT_FOUND && session != null && !answer.readUnknownMethod(response)) {
            stopListening();
            to.unanswered(id, new NoAnswer.SessionEnded("the server has ended the session"));
            to.closed("the server has ended the session");
            return;
        }
        if (response.statusCode() == NOT_FOUND && session != null)
            return;
        SseReader cut = answer.read(response);
        if (cut == null)
            return;
        if (!resume.finish(cut, answer, post))
            to.unanswered(id, new NoAnswer.Lost("the response ended before the answer"));
    }

    private static void end(@Nullable HttpResponse<InputStream> response) throws IOException {
        if (response != null)
            response.body().close();
    }

    /// Headers of each message after `initialize`.
    private Map<String, String> conversation() {
        Map<String, String> headers = new TreeMap<>();
        String id = session;
        if (id != null)
            headers.put(Meta.SESSION_HEADER, id);
        Revision agreed = revision;
        if (agreed != null && agreed.isAtLeast(Revision.V2025_06_18))
            headers.put(Meta.VERSION_HEADER, agreed.text());
        return headers;
    }
}
