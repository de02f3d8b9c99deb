package dev.toolfleet.gateway.readmodel;

import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

import dev.toolfleet.client.topics.FleetTopics;
import dev.toolfleet.client.topics.PartitionCounts;
import dev.toolfleet.client.topics.TopicRole;
import dev.toolfleet.gateway.calls.CallReads;
import dev.toolfleet.gateway.calls.Courier;
import dev.toolfleet.gateway.calls.DeliverySchedule;
import dev.toolfleet.gateway.topology.CallFeed;
import dev.toolfleet.gateway.topology.CallStores;
import dev.toolfleet.gateway.topology.CallTopology;
import dev.toolfleet.http.FleetServer;
import dev.toolfleet.http.HttpConfig;
import dev.toolfleet.streams.StreamsRun;
import dev.toolfleet.streams.StreamsSettings;
import dev.toolfleet.topic.Topic;
import io.micrometer.core.instrument.MeterRegistry;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StreamsConfig;
import org.jspecify.annotations.Nullable;

/// Read model of calls in one gateway: its part of the topology, and the internal address at which other replicas read
/// its partitions.
///
/// **Contract.** Replicas of one group share the partitions. Any of them answers reads of all.
///
/// **Threads.** Started and closed once, from any thread; [#reads] is thread-safe.
public final class ReadModel implements AutoCloseable {
    /// The longest time of a start. After a crash it includes the session of the dead member and the restoring of
    /// stores.
    public static final Duration START_TIMEOUT = Duration.ofMinutes(5);
    private static final String NAME = "the read model of calls";
    private static final String PATHS = "The internal address serves other gateways; clients use gateway.http.";

    private final ReadModelConfig config;
    private final FleetServer server;
    private final PeerClient peers;
    private final CallFeed feed = new CallFeed();
    private final MeterRegistry meters;
    private final Courier courier;
    private final DeliverySchedule schedule;
    private @Nullable Running running;
    private boolean closed;

    /// The run, what it reads at the broker, and the reads of all partitions.
    private record Running(StreamsRun run, CopyAges ages, BrokerEnds ends, CallReads reads) {
        void close() {
            try {
                run.close();
            } finally {
                ages.close();
                ends.close();
            }
        }
    }

    /// Makes a read model that is not started yet. It binds the internal port.
    ///
    /// @param internal the internal address; with a token, which all replicas share, unless all are on this machine
    /// @param meters has [ReadModelMeters], and counts the requests of other replicas
    /// @param courier sends results to the callbacks of their calls
    /// @param schedule the times of its attempts
    /// @throws dev.toolfleet.http.PortException when the port cannot be bound
    public ReadModel(ReadModelConfig config, HttpConfig internal, MeterRegistry meters, Courier courier,
            DeliverySchedule schedule) {
        this.config = config;
        this.meters = meters;
        this.courier = courier;
        this.schedule = schedule;
        this.server = new FleetServer(internal);
        this.peers = new PeerClient(internal.token());
    }

    /// Checks the fleet's topics, joins the group, restores the stores of this replica's partitions and returns when
    /// records are being read.
    ///
    /// @throws ReadModelStartException when it is not ready within [#START_TIMEOUT]; nothing runs then
    public void start() {
        long giveUp = System.nanoTime() + START_TIMEOUT.toNanos();
        try {
            PartitionCounts counts = new FleetTopics(config.topics(), new HashMap<>(config.kafka()),
                    FleetTopics.DEFAULT_TIMEOUT).check(TopicRole.GATEWAY);
            begin(counts).start(Duration.ofNanos(giveUp - System.nanoTime()));
        } catch (RuntimeException e) {
            close();
            throw new ReadModelStartException(String.valueOf(e.getMessage()), e);
        }
    }

    private synchronized StreamsRun begin(PartitionCounts counts) {
        if (closed || running != null)
            throw new IllegalStateException(NAME + " was started before, or closed");
        StreamsRun run = new StreamsRun(NAME, CallTopology.of(config.topics(), counts.groupA(),
                counts.of(Topic.PENDING), feed, config.retention(), courier, schedule), settings());
        OwnCalls.Stores stores = () -> stores(run);
        BrokerEnds ends = new BrokerEnds(config.kafka(), config.topics().name(Topic.CALL), counts.groupA());
        OwnCalls own = new OwnCalls(stores, feed, ends, InstantSource.system());
        CopyAges ages = new CopyAges(ends, System::nanoTime);
        OwnCopies copies = new OwnCopies(stores, ages);
        Owners owners = new StreamsOwners(stores, server.reachedAt(), counts.groupA());
        ReadCounts reads = new ReadCounts(meters);
        running = new Running(run, ages, ends, new RoutedCalls(owners, own, peers::at,
                new Copies(owners, copies, peers::copiesAt, reads), reads));
        ReadModelMeters.bind(run, stores, meters);
        server.start(List.of(new PeerRoute(own, copies)), PATHS, meters);
        ages.start();
        return run;
    }

    private Optional<CallStores> stores(StreamsRun run) {
        return run.streams().filter(streams -> streams.state() == KafkaStreams.State.RUNNING
                || streams.state() == KafkaStreams.State.REBALANCING)
                .map(streams -> new CallStores(streams, config.topics().name(Topic.CALL)));
    }

    private StreamsSettings settings() {
        Map<String, String> kafka = new HashMap<>();
        // Readers see a part before it is committed, so fewer commits delay decisions and waits only.
        kafka.put(StreamsConfig.COMMIT_INTERVAL_MS_CONFIG, "100");
        // A record may have a megabyte, and what is read ahead lies on the heap.
        kafka.put(StreamsConfig.BUFFERED_RECORDS_PER_PARTITION_CONFIG, "200");
        kafka.put(StreamsConfig.mainConsumerPrefix(ConsumerConfig.MAX_POLL_RECORDS_CONFIG), "500");
        kafka.put(ProducerConfig.COMPRESSION_TYPE_CONFIG, "lz4");
        // The next owner of a dead replica's partition waits for the end of its last transaction.
        kafka.put(StreamsConfig.producerPrefix(ProducerConfig.TRANSACTION_TIMEOUT_CONFIG), "5000");
        kafka.putAll(config.kafka());
        kafka.put(StreamsConfig.NUM_STANDBY_REPLICAS_CONFIG, Integer.toString(config.standbys()));
        kafka.put(StreamsConfig.APPLICATION_SERVER_CONFIG, server.reachedAt().toString());
        // Stores hold whole calls and results.
        kafka.put(StreamsConfig.topicPrefix(TopicConfig.MAX_MESSAGE_BYTES_CONFIG),
                Integer.toString(Topic.DEAD_LETTER.maxRecordBytes()));
        return new StreamsSettings(config.applicationId(), config.stateDir(), config.replication(), kafka);
    }

    /// Returns the reads of the calls of all partitions.
    ///
    /// @throws IllegalStateException before the start
    public synchronized CallReads reads() {
        if (running == null)
            throw new IllegalStateException(NAME + " has not started yet");
        return running.reads();
    }

    /// Returns the internal address, as `host:port`.
    public String address() {
        return server.reachedAt().toString();
    }

    /// Returns the reasons why it is not ready, one clause each; empty when it is ready. Reads may succeed all the same:
    /// they wait for a partition that moves.
    public synchronized List<String> notReady() {
        if (running == null)
            return List.of("the read model has not started yet");
        if (running.run().isRunning())
            return List.of();
        return List.of(running.run().stopped().isDone()
                ? "the read model has stopped"
                : "partitions of the read model are being assigned, or their state is read back");
    }

    /// Completes when it has stopped: normally when it was closed, exceptionally when it cannot go on and its process
    /// should end.
    ///
    /// @throws IllegalStateException before the start
    public synchronized CompletableFuture<Void> stopped() {
        if (running == null)
            throw new IllegalStateException(NAME + " has not started yet");
        return running.run().stopped();
    }

    /// Leaves the group and stops, within about ten seconds. Closing again does nothing.
    @Override
    public void close() {
        Optional<Running> closing = markClosed();
        try {
            closing.ifPresent(Running::close);
        } finally {
            server.close();
            peers.close();
        }
    }

    private synchronized Optional<Running> markClosed() {
        closed = true;
        return Optional.ofNullable(running);
    }
}
