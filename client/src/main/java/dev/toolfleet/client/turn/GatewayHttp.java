package dev.toolfleet.client.turn;

import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import java.util.stream.Stream;

import dev.toolfleet.client.ToolFleetClientException;
import dev.toolfleet.client.ToolFleetClientException.Reason;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/// Requests to a gateway. A request that had no effect, or may be repeated, is sent again. Thread-safe.
final class GatewayHttp {
    /// The longest wait for an answer with its body, or for the headers of a stream.
    static final Duration ANSWER = Duration.ofSeconds(30);
    /// The wait for news that a gateway is asked for in place of a stream; shorter than that for its answer.
    private static final Duration READ = Duration.ofSeconds(20);
    /// The pauses between attempts grow from the first to the last; together they outlast the restart of a gateway.
    private static final int ATTEMPTS = 8;
    private static final Duration FIRST_PAUSE = Duration.ofMillis(250);
    private static final int MAX_DOUBLINGS = 5;
    /// The gateway is full, away behind its proxy, or cannot answer at the moment.
    private static final Set<Integer> AGAIN = Set.of(429, 502, 503, 504);
    /// The hundreds of the statuses of success. A redirect is none: it is not followed, as it may lead the token elsewhere.
    private static final int SUCCESS = 2;
    private static final int CLASS_OF_STATUSES = 100;

    private final HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(5)).build();
    private final String base;
    private final Optional<Supplier<String>> token;
    private final Duration patience;

    /// A piece of work that talks to the gateway.
    @FunctionalInterface
    interface GatewayWork<T> {
        T run() throws IOException, InterruptedException;
    }

    GatewayHttp(URI gateway, Optional<Supplier<String>> token, Duration patience) {
        this.patience = patience;
        this.base = gateway.toString().replaceFirst("/+$", "");
        this.token = token;
    }

    /// Ends all requests.
    void close() {
        client.shutdownNow();
    }

    /// Runs the work in the calling thread and returns its end.
    <T> CompletableFuture<T> attempt(GatewayWork<T> work) {
        try {
            return CompletableFuture.completedFuture(work.run());
        } catch (IOException | RuntimeException e) {
            return CompletableFuture.failedFuture(new ToolFleetClientException(Reason.NOT_SENT,
                    "the gateway at " + base + " did not confirm the request: " + e.getMessage(), e));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return CompletableFuture.failedFuture(new ToolFleetClientException(Reason.NOT_SENT,
                    "interrupted while the gateway at " + base + " was waited for", e));
        }
    }

    /// Posts a body, without a wait for results. Posting it again must change nothing.
    HttpResponse<String> post(String path, ObjectNode body) throws IOException, InterruptedException {
        return post(path, body, ATTEMPTS);
    }

    /// Posts a body at most `attempts` times.
    HttpResponse<String> post(String path, ObjectNode body, int attempts) throws IOException, InterruptedException {
        IOException problem = new IOException("no attempt was made");
        for (int attempt = 0; attempt < attempts; attempt++) {
            if (attempt > 0)
                pause(attempt - 1);
            try {
                HttpResponse<String> answer = send(request(path)
                        .header("Content-Type", "application/json").header("Prefer", "respond-async")
                        .POST(HttpRequest.BodyPublishers.ofString(body.toString())).build(), BodyHandlers.ofString());
                if (answer.statusCode() / CLASS_OF_STATUSES == SUCCESS)
                    return answer;
                problem = new IOException(path + " answered " + answer.statusCode() + ": " + answer.body());
                if (!AGAIN.contains(answer.statusCode()))
                    throw new RefusedException(problem);
            } catch (RefusedException e) {
                throw e;
            } catch (IOException e) {
                problem = e;
            }
        }
        throw problem;
    }

    /// Opens the stream of a call's events, behind the event with that id.
    HttpResponse<Stream<String>> events(String path, @Nullable String lastEventId)
            throws IOException, InterruptedException {
        HttpRequest.Builder request = request(path).header("Accept", "text/event-stream");
        if (lastEventId != null)
            request.header("Last-Event-ID", lastEventId);
        return send(request.GET().build(), BodyHandlers.ofLines());
    }

    /// Reads a call, after a wait for its first result.
    HttpResponse<String> read(String path) throws IOException, InterruptedException {
        return send(request(path).header("Prefer", "wait=" + READ.toSeconds()).GET().build(), BodyHandlers.ofString());
    }

    /// Sends a request and waits for its answer. Otherwise: a body that stalls, or a stream without headers, holds its
    /// thread for good, as the timeout of a request ends with the headers and a stream has none.
    private <T> HttpResponse<T> send(HttpRequest request, BodyHandler<T> body)
            throws IOException, InterruptedException {
        CompletableFuture<HttpResponse<T>> answer = client.sendAsync(request, body);
        try {
            return answer.get(patience.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            throw new IOException(request.uri().getRawPath() + " was not answered within " + patience, e);
        } catch (ExecutionException e) {
            throw new IOException(request.uri().getRawPath() + " had no answer: " + e.getCause(), e);
        } finally {
            answer.cancel(true);
        }
    }

    /// Waits before the next attempt.
    static void pause(int failures) throws InterruptedException {
        Thread.sleep(FIRST_PAUSE.multipliedBy(1L << Math.min(failures, MAX_DOUBLINGS)));
    }

    static String encoded(String name) {
        return URLEncoder.encode(name, StandardCharsets.UTF_8).replace("+", "%20");
    }

    /// Makes a request with the token of this moment. A supplier that fails is a failed attempt, as a gateway that is away.
    private HttpRequest.Builder request(String path) throws IOException {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(base + path));
        if (token.isPresent()) {
            try {
                request.header("Authorization", "Bearer " + token.get().get());
            } catch (RuntimeException e) {
                throw new IOException("the supplier of the bearer token for " + base + " failed: " + e, e);
            }
        }
        return request;
    }

    /// A refusal, which another attempt would not change.
    private static final class RefusedException extends IOException {
        RefusedException(IOException cause) {
            super(cause.getMessage(), cause);
        }
    }
}
