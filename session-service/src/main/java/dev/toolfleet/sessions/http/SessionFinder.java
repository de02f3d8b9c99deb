package dev.toolfleet.sessions.http;

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
import java.util.concurrent.Executors;

import dev.toolfleet.http.BearerToken;
import dev.toolfleet.http.HostPort;
import dev.toolfleet.http.Problem;
import dev.toolfleet.sessions.topology.SessionQueries;
import dev.toolfleet.sessions.topology.SessionQueries.StoredSession;
import dev.toolfleet.streams.StreamsRun;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.errors.InvalidStateStoreException;
import org.apache.kafka.streams.state.HostInfo;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Search for a session, here and at the other services of the group. An address cannot be computed, because a session
/// is in the partition that its producer chose.
///
/// **Threads.** Thread-safe; each query is a request with [#HOP_HEADER], which no service passes on.
final class SessionFinder implements AutoCloseable {
    /// Header of queries between services: answer from your own stores, and query no other.
    static final String HOP_HEADER = "Toolfleet-Hop";
    private static final Logger LOG = LoggerFactory.getLogger(SessionFinder.class);
    private static final Duration PATIENCE = Duration.ofSeconds(2);
    private static final int OK = 200;
    private static final int NOT_FOUND = 404;

    private final StreamsRun run;
    private final HostInfo self;
    private final Optional<BearerToken> token;
    private final HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1)
            .followRedirects(HttpClient.Redirect.NEVER).connectTimeout(PATIENCE.dividedBy(2))
            .executor(Executors.newVirtualThreadPerTaskExecutor()).build();

    /// Outcome of a search.
    sealed interface Found {
        /// This service has the session.
        record Here(StoredSession session) implements Found {}

        /// Another service has answered.
        record There(String json) implements Found {}

        /// Every service answered that it does not have the session.
        record Nowhere() implements Found {}

        /// The search could not be finished.
        record Unclear(String reason) implements Found {}
    }

    SessionFinder(StreamsRun run, HostPort self, Optional<BearerToken> token) {
        this.run = run;
        this.self = new HostInfo(self.host(), self.port());
        this.token = token;
    }

    /// Searches for a session.
    ///
    /// @param path the request's path and query, encoded, for the others
    /// @param hop true for a query of another service, which is not passed on
    Found find(String instanceKey, String agent, String path, boolean hop) {
        KafkaStreams streams = run.streams().orElse(null);
        if (streams == null || !run.isRunning())
            return new Found.Unclear("its partitions are being assigned, or their state is read back");
        SessionQueries queries = new SessionQueries(streams);
        try {
            Optional<StoredSession> here = queries.find(instanceKey, agent);
            if (here.isPresent())
                return new Found.Here(here.get());
            return hop ? new Found.Nowhere() : elsewhere(queries, path);
        } catch (InvalidStateStoreException | IllegalStateException e) {
            return new Found.Unclear("its partitions are being assigned");
        }
    }

    private Found elsewhere(SessionQueries queries, String path) {
        List<HostInfo> silent = new ArrayList<>();
        for (HostInfo other : queries.others(self)) {
            try {
                HttpResponse<String> answer = ask(new HostPort(other.host(), other.port()), path);
                boolean ours = answer.headers().firstValue("Content-Type").orElse("").startsWith(Problem.CONTENT_TYPE);
                if (answer.statusCode() == OK)
                    return new Found.There(answer.body());
                if (answer.statusCode() != NOT_FOUND || !ours)
                    silent.add(other);
            } catch (IOException e) {
                LOG.atWarn().addKeyValue("peer", other).addKeyValue("reason", e.getClass().getSimpleName())
                        .log("other session service not reachable");
                silent.add(other);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                silent.add(other);
            }
        }
        return silent.isEmpty()
                ? new Found.Nowhere()
                : new Found.Unclear("the session is not here, and could not be"
                        + " looked for at " + silent
                        + "; are these services running, with the same session.http.token?");
    }

    private HttpResponse<String> ask(HostPort peer, String path) throws IOException, InterruptedException {
        URI uri = URI.create("http://" + peer + path);
        HttpRequest.Builder request = HttpRequest.newBuilder(uri).timeout(PATIENCE).header(HOP_HEADER, "1");
        // A member of the group chooses its own address, so it does not get the token.
        token.ifPresent(bearer -> request.header("Authorization", bearer.signed(uri, Instant.now())));
        return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    @Override
    public void close() {
        client.shutdownNow();
    }
}
