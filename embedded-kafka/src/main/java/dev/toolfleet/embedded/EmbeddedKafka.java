package dev.toolfleet.embedded;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicBoolean;

/// A real Kafka broker in this JVM: a node that is broker and KRaft controller. It listens on 127.0.0.1 only, without
/// encryption, and without passwords unless it has [users][BrokerUsers].
///
/// **Contract.** It is ready when [#start] returns. [#close] stops it, ends its threads, and deletes data in a
/// temporary folder. Brokers may follow one another in a JVM, also on the same port and data.
///
/// The broker logs through SLF4J under the names in [#LOGGERS]: hundreds of lines at INFO and two at WARN for each
/// start. ERROR makes it quiet. OFF also hides the stack trace of a failed start; its reason is in the exception.
public final class EmbeddedKafka implements AutoCloseable {

    /// The roots of the broker's (and the Kafka clients') logger names.
    public static final List<String> LOGGERS = List.of("kafka", "org.apache.kafka", "state.change.logger");

    private final EmbeddedKafkaConfig config;
    private final DataFolder folder;
    private final Node node;
    private final AtomicBoolean closed = new AtomicBoolean();

    private EmbeddedKafka(EmbeddedKafkaConfig config, DataFolder folder, Node node) {
        this.config = config;
        this.folder = folder;
        this.node = node;
    }

    /// Starts a broker and returns when it serves clients: about 2 s for the first of a JVM, less for the next. On data
    /// whose last broker was killed the start takes 5 s longer, until the session of the killed one has ended.
    ///
    /// @throws EmbeddedKafkaException if it cannot start: a port in use, a data folder that cannot be written, holds
    ///         something else or is in use
    public static EmbeddedKafka start(EmbeddedKafkaConfig config) {
        return start(config, NodePlace.alone());
    }

    /// Starts one node of a cluster, which may have to wait for the others.
    static EmbeddedKafka start(EmbeddedKafkaConfig config, NodePlace place) {
        try (ListenSockets sockets = bind(config, place)) {
            DataFolder folder = DataFolder.open(config.data(), place);
            try {
                if (config.data().isPresent())
                    KeptPort.of(folder.path()).write(sockets.clientPort());
                Node node = Node.start(BrokerSettings.of(config, place, sockets, folder.path().toString()), sockets,
                        place);
                sockets.handedOver();
                return new EmbeddedKafka(config.withPort(sockets.clientPort()), folder, node);
            } catch (Exception e) { // Scala throws checked ones unannounced.
                folder.close();
                throw new EmbeddedKafkaException(
                        "the broker could not start on the data folder " + folder.path() + ": " + e.getMessage(),
                        e);
            } catch (Error e) {
                folder.close();
                throw e;
            }
        } catch (IOException e) {
            throw new EmbeddedKafkaException(
                    "the sockets of a broker that failed to start could not be closed: " + e.getMessage(), e);
        }
    }

    /// Binds the configured port. Where a free one is wanted for data that is kept, that is the port of the last broker
    /// on that data, or, when it is taken or there was none, one that the next broker can have again.
    private static ListenSockets bind(EmbeddedKafkaConfig config, NodePlace place) {
        if (config.port() != 0 || config.data().isEmpty())
            return ListenSockets.bind(config.port(), place.controllerPort());
        OptionalInt last = KeptPort.of(config.data().get()).read();
        if (last.isPresent()) {
            try {
                return ListenSockets.bind(last.getAsInt(), place.controllerPort());
            } catch (EmbeddedKafkaException e) {
                // Taken: any other one.
            }
        }
        return ListenSockets.bind(ListenSockets.freeFixedPort(), place.controllerPort());
    }

    /// `host:port` for `bootstrap.servers`.
    public String bootstrapServers() {
        return ListenSockets.HOST + ":" + port();
    }

    /// The port that clients connect to.
    public int port() {
        return config.port();
    }

    /// Returns the identity of the data; a broker that is started on the same data has the same.
    public String clusterId() {
        return node.clusterId();
    }

    /// Returns the absolute data folder; a temporary folder is gone after [#close].
    public Path folder() {
        return folder.path();
    }

    /// Returns the configuration of this broker with the port that it listens on. Starting a broker with it after this
    /// one is closed is a restart, if the data is kept.
    public EmbeddedKafkaConfig config() {
        return config;
    }

    /// Stops the broker and waits for its threads to end, about half a second. An interrupt waits until that is done.
    /// Closing twice does nothing.
    ///
    /// @throws EmbeddedKafkaException if a temporary folder could not be deleted
    @Override
    public void close() {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        // The broker's shutdown stops half-way in an interrupted thread.
        boolean interrupted = Thread.interrupted();
        try (folder) {
            node.stop();
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
