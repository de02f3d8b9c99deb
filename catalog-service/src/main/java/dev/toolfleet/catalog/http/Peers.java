package dev.toolfleet.catalog.http;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

import dev.toolfleet.catalog.telemetry.CatalogLogKeys;
import dev.toolfleet.http.BearerToken;
import dev.toolfleet.http.HostPort;
import dev.toolfleet.http.Problem;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/// The other services of the group. A lookup queries all of them at once for a step. An address cannot be computed,
/// because a step is in the partition that its producer chose.
///
/// **Threads.** Thread-safe; each query is a request with [CatalogRoute#HOP_HEADER], which no service redirects.
final class Peers implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Peers.class);
    private static final int HAS = 304;
    private static final int HAS_NOT = 404;
    private static final int CANNOT_TELL = 503;

    private final Optional<BearerToken> token;
    private final Duration patience;
    private final HttpClient client;

    /// @param patience the longest wait for all of them
    Peers(Optional<BearerToken> token, Duration patience) {
        this.token = token;
        this.patience = patience;
        this.client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1)
                .followRedirects(HttpClient.Redirect.NEVER).connectTimeout(patience.dividedBy(2))
                .executor(Executors.newVirtualThreadPerTaskExecutor()).build();
    }

    /// Result of a query of the others.
    sealed interface Found {
        /// This service has the step.
        record At(HostPort owner) implements Found {}

        /// Every service answered that it does not have the step.
        record Nowhere() implements Found {}

        /// No service answered that it has the step, and these did not answer.
        record Unasked(List<HostPort> silent) implements Found {}
    }

    private enum Said {
        YES, NO, NOTHING
    }

    private record Heard(HostPort peer, Said said) {}

    /// Finds the service that can answer this path.
    ///
    /// @param path as in the request, encoded
    Found whoHas(String path, List<HostPort> peers) {
        List<HostPort> silent = new ArrayList<>(peers);
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
        try {
            ExecutorCompletionService<Heard> questions = new ExecutorCompletionService<>(threads);
            peers.forEach(peer -> questions.submit(() -> new Heard(peer, ask(peer, path))));
            long giveUp = System.nanoTime() + patience.toNanos();
            for (int i = 0; i < peers.size(); i++) {
                Future<Heard> next = questions.poll(giveUp - System.nanoTime(), TimeUnit.NANOSECONDS);
                if (next == null)
                    break;
                Heard heard = next.get();
                if (heard.said() == Said.YES)
                    return new Found.At(heard.peer());
                if (heard.said() == Said.NO)
                    silent.remove(heard.peer());
            }
        } catch (ExecutionException e) {
            throw new IllegalStateException("a question to another service broke", e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            threads.shutdownNow();
        }
        return silent.isEmpty() ? new Found.Nowhere() : new Found.Unasked(silent);
    }

    private Said ask(HostPort peer, String path) throws InterruptedException {
        // Any content matches, so the owner renders and sends nothing.
        URI uri = URI.create("http://" + peer + path);
        HttpRequest.Builder request = HttpRequest.newBuilder(uri).timeout(patience)
                .header(CatalogRoute.HOP_HEADER, "1").header("If-None-Match", "*");
        // A member of the group chooses its own address, so it does not get the token.
        token.ifPresent(bearer -> request.header("Authorization", bearer.signed(uri, Instant.now())));
        try {
            HttpResponse<Void> answer = client.send(request.build(), HttpResponse.BodyHandlers.discarding());
            boolean ours = answer.headers().firstValue("Content-Type").orElse("").startsWith(Problem.CONTENT_TYPE);
            if (answer.statusCode() == HAS)
                return Said.YES;
            if (answer.statusCode() == HAS_NOT && ours)
                return Said.NO;
            // A service that cannot answer for a moment reports that itself.
            LOG.atLevel(answer.statusCode() == CANNOT_TELL ? Level.DEBUG : Level.WARN)
                    .addKeyValue(CatalogLogKeys.PEER, peer).addKeyValue(CatalogLogKeys.STATUS, answer.statusCode())
                    .log("other catalog service returned no answer about a step");
        } catch (IOException e) {
            LOG.atWarn().addKeyValue(CatalogLogKeys.PEER, peer)
                    .addKeyValue(CatalogLogKeys.REASON, e.getClass().getSimpleName())
                    .log("other catalog service not reachable");
        }
        return Said.NOTHING;
    }

    @Override
    public void close() {
        client.shutdownNow();
    }
}
