package dev.toolfleet.mcp.transport;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;

import org.jspecify.annotations.Nullable;

/// One POST and its response.
///
/// **Contract.** The body leaves at most once: the publisher of the body serves one subscription, and the client
/// subscribes when it has a connection. So a request that fails before did not reach the server, whatever the reason was
/// (name, connection, TLS), and nothing in the client can repeat a call.
final class HttpPost implements Dispatch {
    private enum State {
        WAITING, LEFT, WITHDRAWN
    }

    private final AtomicReference<State> state = new AtomicReference<>(State.WAITING);
    private volatile boolean abandoned;
    private volatile @Nullable CompletableFuture<HttpResponse<InputStream>> response;
    private volatile @Nullable InputStream body;

    /// Sends, and calls `then` with the response or the failure.
    void send(HttpClient client, HttpRequest.Builder request, byte[] content,
            BiConsumer<@Nullable HttpResponse<InputStream>, @Nullable Throwable> then) {
        HttpRequest.BodyPublisher bytes = HttpRequest.BodyPublishers.ofByteArray(content);
        HttpRequest post = request.POST(HttpRequest.BodyPublishers.fromPublisher(
                subscriber -> subscribe(subscriber, bytes), content.length)).build();
        CompletableFuture<HttpResponse<InputStream>> sent = client.sendAsync(post,
                HttpResponse.BodyHandlers.ofInputStream());
        response = sent;
        var _ = sent.whenComplete((answer, failure) -> Thread.ofVirtual().name("mcp-http").start(() -> {
            if (answer != null)
                keep(answer.body());
            then.accept(answer, failure);
        }));
        if (abandoned)
            sent.cancel(true);
    }

    /// Keeps the stream that [#abandon] closes.
    void keep(InputStream stream) {
        body = stream;
        if (abandoned)
            close(stream);
    }

    boolean hasLeft() {
        return state.get() == State.LEFT;
    }

    boolean isAbandoned() {
        return abandoned;
    }

    @Override
    public boolean withdraw() {
        boolean withdrawn = state.compareAndSet(State.WAITING, State.WITHDRAWN)
                || state.get() == State.WITHDRAWN;
        if (withdrawn)
            abandon();
        return withdrawn;
    }

    @Override
    public void abandon() {
        abandoned = true;
        CompletableFuture<HttpResponse<InputStream>> sent = response;
        if (sent != null)
            sent.cancel(true);
        InputStream stream = body;
        if (stream != null)
            close(stream);
    }

    private void subscribe(Flow.Subscriber<? super ByteBuffer> subscriber, HttpRequest.BodyPublisher bytes) {
        if (state.compareAndSet(State.WAITING, State.LEFT)) {
            bytes.subscribe(subscriber);
            return;
        }
        subscriber.onSubscribe(new Flow.Subscription() {
            @Override
            public void request(long count) {
                // Nothing comes.
            }

            @Override
            public void cancel() {
                // Nothing comes.
            }
        });
        subscriber.onError(new IOException("the request was kept back"));
    }

    private static void close(InputStream stream) {
        try {
            stream.close();
        } catch (IOException | UncheckedIOException e) {
            // It is closed.
        }
    }
}
