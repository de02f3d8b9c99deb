package dev.toolfleet.gateway.jwt;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// Fetch of keys over HTTP, of bounded size and time. Redirects are not followed: the address is the operator's, and
/// what it answers is not trusted to name another. Thread-safe.
public final class HttpKeyFetch implements KeyFetch, AutoCloseable {
    /// The longest time of a fetch.
    static final Duration WITHIN = Duration.ofSeconds(5);
    private static final int MAX_BYTES = 256 * 1024;
    private static final int OK = 200;

    private final HttpClient client = HttpClient.newBuilder().connectTimeout(WITHIN)
            .followRedirects(HttpClient.Redirect.NEVER).version(HttpClient.Version.HTTP_1_1).build();

    @Override
    public byte[] fetch(URI uri) throws IOException {
        HttpRequest request = HttpRequest.newBuilder(uri).timeout(WITHIN)
                .header("Accept", "application/jwk-set+json, application/json").build();
        CompletableFuture<HttpResponse<byte[]>> answer = client.sendAsync(request,
                BodyHandlers.limiting(BodyHandlers.ofByteArray(), MAX_BYTES));
        try {
            // The request's own timeout ends with the headers of the answer.
            HttpResponse<byte[]> response = answer.get(WITHIN.toMillis(), TimeUnit.MILLISECONDS);
            if (response.statusCode() != OK)
                throw new IOException("it answers with status " + response.statusCode());
            return response.body();
        } catch (TimeoutException e) {
            answer.cancel(true);
            throw new IOException("it has not answered within " + WITHIN.toSeconds() + " s", e);
        } catch (ExecutionException e) {
            throw new IOException(e.getCause() == null ? "it cannot be reached" : String.valueOf(e.getCause()), e);
        } catch (InterruptedException e) {
            answer.cancel(true);
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("the gateway is stopping");
        }
    }

    @Override
    public void close() {
        client.shutdownNow();
    }
}
