package dev.toolfleet.sessions.app;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

import dev.toolfleet.client.topics.FleetTopics;
import dev.toolfleet.client.topics.TopicRole;
import dev.toolfleet.http.HttpConfig;
import dev.toolfleet.resources.ResourceTable;
import dev.toolfleet.session.window.ModelWindow;
import dev.toolfleet.sessions.http.SessionServer;
import dev.toolfleet.sessions.topology.SessionTopology;
import dev.toolfleet.sessions.topology.TopologySettings;
import dev.toolfleet.streams.StreamsRun;
import dev.toolfleet.streams.StreamsSettings;
import dev.toolfleet.topic.Topic;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.streams.StreamsConfig;

/// Service that keeps the messages of sessions: those that runtimes write on `session.message`, and one for each result
/// of `tool.result`.
///
/// **Contract.** Services of one group share the partitions. The others go on with the sessions of a crashed one. Each
/// result that is not `replayed` gets exactly one message, in the order of finishing.
///
/// **Threads.** Started and closed once, from any thread.
public final class SessionService implements AutoCloseable {
    /// The longest time of a start. After a crash it includes the session of the dead member, its open transaction, and
    /// the reading of its stores.
    public static final Duration START_TIMEOUT = Duration.ofSeconds(60);

    private static final String COMMIT_MS = "20";
    private static final String BATCH_BYTES = "131072";

    private final SessionConfig config;
    private final StreamsRun run;
    private final Optional<SessionServer> server;

    /// Makes a service that is not started yet. It binds its HTTP port.
    ///
    /// @param http its HTTP settings; empty for no HTTP
    /// @throws SessionStartException when the port cannot be bound
    public SessionService(SessionConfig config, Optional<HttpConfig> http) {
        this.config = config;
        this.server = http.map(SessionService::bound);
        TopologySettings settings = new TopologySettings(config.topics(), new ResourceTable(config.trust()),
                config.messageWait(), config.retention(), config.window(), ModelWindow.of(config.contextWindow()));
        this.run = new StreamsRun("the session service", SessionTopology.of(settings), new StreamsSettings(
                config.applicationId(), config.stateDir(), config.replication(), clients()));
    }

    private static SessionServer bound(HttpConfig http) {
        try {
            return new SessionServer(http);
        } catch (IllegalStateException e) {
            throw new SessionStartException(String.valueOf(e.getMessage()), e);
        }
    }

    /// Returns the properties of its Kafka clients. Messages are text, which compresses well.
    private Map<String, String> clients() {
        Map<String, String> properties = new HashMap<>(config.kafka());
        properties.putIfAbsent(ProducerConfig.COMPRESSION_TYPE_CONFIG, "lz4");
        // Each result costs some ten records, most of them of the stores. Readers see nothing before a commit, and a
        // commit sends what waits: so neither linger nor large batches cost time, and a commit costs some milliseconds.
        properties.putIfAbsent(StreamsConfig.COMMIT_INTERVAL_MS_CONFIG, COMMIT_MS);
        properties.putIfAbsent(StreamsConfig.producerPrefix(ProducerConfig.LINGER_MS_CONFIG), COMMIT_MS);
        properties.putIfAbsent(StreamsConfig.producerPrefix(ProducerConfig.BATCH_SIZE_CONFIG), BATCH_BYTES);
        // Stores hold whole calls and results.
        properties.put(StreamsConfig.topicPrefix(TopicConfig.MAX_MESSAGE_BYTES_CONFIG),
                Integer.toString(Topic.DEAD_LETTER.maxRecordBytes()));
        server.ifPresent(one -> properties.put(StreamsConfig.APPLICATION_SERVER_CONFIG, one.reachedAt().toString()));
        return properties;
    }

    /// Checks the fleet's topics, joins the group and returns when results are being read.
    ///
    /// @throws SessionStartException when it is not ready within [#START_TIMEOUT]; nothing runs then
    public void start() {
        long giveUp = System.nanoTime() + START_TIMEOUT.toNanos();
        try {
            server.ifPresent(one -> one.start(run, this::notReady));
            new FleetTopics(config.topics(), new HashMap<>(config.kafka()), FleetTopics.DEFAULT_TIMEOUT)
                    .check(TopicRole.SESSION);
            run.start(Duration.ofNanos(giveUp - System.nanoTime()));
        } catch (RuntimeException e) {
            close();
            throw new SessionStartException(String.valueOf(e.getMessage()), e);
        }
    }

    /// Returns its HTTP address as `http://host:port`; empty without HTTP.
    public Optional<String> url() {
        return server.map(one -> "http://" + one.reachedAt());
    }

    /// Returns the reasons why it is not ready, one clause each. Empty when it is ready.
    public List<String> notReady() {
        if (run.isRunning())
            return List.of();
        if (run.stopped().isDone())
            return List.of("it has stopped");
        return List.of(run.streams().isEmpty()
                ? "it has not started yet"
                : "its partitions are being assigned, or their state is read back");
    }

    /// Completes when the service has stopped: normally when it was closed, exceptionally when it cannot go on and its
    /// process should end.
    public CompletableFuture<Void> stopped() {
        return run.stopped();
    }

    /// Leaves the group and stops, within about ten seconds. The next owner goes on with the uncommitted records.
    /// Closing again does nothing.
    @Override
    public void close() {
        try {
            run.close();
        } finally {
            server.ifPresent(SessionServer::close);
        }
    }

    /// Failure of the session service's start. The message is one line for a person: the problem and the way out.
    public static final class SessionStartException extends RuntimeException {
        SessionStartException(String message, Throwable cause) {
            super(message, cause);
        }
    }
}
