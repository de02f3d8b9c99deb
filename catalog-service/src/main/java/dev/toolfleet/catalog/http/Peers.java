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

import dev.toolfleet.catalog.telemetry.LogKeys;
import dev.toolfleet.http.BearerToken;
import dev.toolfleet.http.HostPort;
import dev.toolfleet.http.Problem;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/// The other services of the group: asks all of them at once which has a step. No address can be computed, because a
/// step lies in the partition that its producer chose.
///
/// Thread-safe; each question is a request with [CatalogRoute#HOP_HEADER], which nobody passes on.
final class Peers implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Peers.class);
    private static final int HAS = 304;
    private static final int HAS_NOT = 404;
    private static final int CANNOT_TELL = 503;

    private final Optional<BearerToken> token;
    private final Duration patience;
    private final HttpClient client;

    /// @param patience for how long all are waited for
    Peers(Optional<BearerToken> token, Duration patience) {
        this.token = token;
        this.patience = patience;
        this.client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1)
                .followRedirects(HttpClient.Redirect.NEVER).connectTimeout(patience.dividedBy(2))
                .executor(Executors.newVirtualThreadPerTaskExecutor()).build();
    }

    /// What the others said.
    sealed interface Found {
        /// This one has it.
        record At(HostPort owner) implements Found {}

        /// All said that they have not.
        record Nowhere() implements Found {}

        /// Nobody said that he has it, and these said nothing.
        record Unasked(List<HostPort> silent) implements Found {}
    }

    private enum Said {
        YES, NO, NOTHING
    }

    private record Heard(HostPort peer, Said said) {}

    /// Asks who can answer this path.
    ///
    /// @param path as it stood in the request, encoded
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
        // Whoever has it has something, whatever it is: there is nothing to render and nothing to send.
        URI uri = URI.create("http://" + peer + path);
        HttpRequest.Builder request = HttpRequest.newBuilder(uri).timeout(patience)
                .header(CatalogRoute.HOP_HEADER, "1").header("If-None-Match", "*");
        // The peer's address is what a member of the group says of itself, so that the token is not for it.
        token.ifPresent(bearer -> request.header("Authorization", bearer.signed(uri, Instant.now())));
        try {
            HttpResponse<Void> answer = client.send(request.build(), HttpResponse.BodyHandlers.discarding());
            boolean ours = answer.headers().firstValue("Content-Type").orElse("").startsWith(Problem.CONTENT_TYPE);
            if (answer.statusCode() == HAS)
                return Said.YES;
            if (answer.statusCode() == HAS_NOT && ours)
                return Said.NO;
            // One that cannot tell for a moment says so itself.
            LOG.atLevel(answer.statusCode() == CANNOT_TELL ? Level.DEBUG : Level.WARN)
                    .addKeyValue(LogKeys.PEER, peer).addKeyValue(LogKeys.STATUS, answer.statusCode())
                    .log("Another catalog service did not say whether it has a step");
        } catch (IOException e) {
            LOG.atWarn().addKeyValue(LogKeys.PEER, peer).addKeyValue(LogKeys.REASON, e.getClass().getSimpleName())
                    .log("Another catalog service cannot be asked");
        }
        return Said.NOTHING;
    }

    @Override
    public void close() {
        client.shutdownNow();
    }
}
