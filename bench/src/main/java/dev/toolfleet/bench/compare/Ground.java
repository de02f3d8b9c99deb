package dev.toolfleet.bench.compare;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;

import dev.toolfleet.client.topics.FleetTopics;
import dev.toolfleet.client.topics.TopicScan;
import dev.toolfleet.embedded.BrokerProcess;
import dev.toolfleet.embedded.EmbeddedKafkaConfig;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.topic.Topics;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;

/// The broker of a comparison, a process of its own, and for each measurement topics of its own that go away with it.
///
/// Used by one thread.
final class Ground implements AutoCloseable {
    static final int PARTITIONS = 12;
    private static final Duration SERVED = Duration.ofSeconds(60);

    private final String bootstrapServers;
    private final long brokerPid;
    private final Runnable stopBroker;
    private final Path root;
    private final Admin admin;
    private int places;

    private Ground(String bootstrapServers, long brokerPid, Runnable stopBroker, Path root) {
        this.bootstrapServers = bootstrapServers;
        this.brokerPid = brokerPid;
        this.stopBroker = stopBroker;
        this.root = root;
        this.admin = Admin.create(Map.of("bootstrap.servers", bootstrapServers));
    }

    /// @param root an empty folder for all that the run writes
    static Ground start(Path root, Consumer<String> progress) throws InterruptedException {
        progress.accept("starting a broker with " + PARTITIONS + " partitions ...");
        BrokerProcess broker = BrokerProcess.start(config(root), root.resolve("broker.log"));
        return new Ground(broker.bootstrapServers(), broker.pid(), broker::close, root);
    }

    private static EmbeddedKafkaConfig config(Path root) {
        return EmbeddedKafkaConfig.temporary().withData(root.resolve("broker")).withPartitions(PARTITIONS);
    }

    String bootstrapServers() {
        return bootstrapServers;
    }

    long brokerPid() {
        return brokerPid;
    }

    /// New topics: all of a fleet, or for another engine those two that it needs, as a fleet has them.
    Place place(Arm arm) throws InterruptedException {
        Place place = new Place("run" + ++places + "-" + arm.text() + ".");
        if (arm.isFleet()) {
            new FleetTopics(place.topics(), Map.of("bootstrap.servers", bootstrapServers()),
                    Duration.ofMinutes(1)).create(OptionalInt.of(PARTITIONS), OptionalInt.of(1));
        } else {
            create(place, List.of(Topic.CALL, Topic.RESULT));
        }
        place.awaitServed(Topic.CALL);
        place.awaitServed(Topic.RESULT);
        return place;
    }

    private void create(Place place, List<Topic> topics) throws InterruptedException {
        try {
            admin.createTopics(topics.stream()
                    .map(topic -> new NewTopic(place.topic(topic), PARTITIONS, (short) 1).configs(topic.config()))
                    .toList()).all().get();
        } catch (ExecutionException e) {
            throw new IllegalStateException("the topics of " + place.prefix + " could not be created: "
                    + e.getMessage(), e);
        }
    }

    /// The topics of one measurement.
    final class Place implements AutoCloseable {
        private final String prefix;

        private Place(String prefix) {
            this.prefix = prefix;
        }

        Topics topics() {
            return new Topics(prefix);
        }

        String topic(Topic topic) {
            return topics().name(topic);
        }

        String bootstrapServers() {
            return Ground.this.bootstrapServers();
        }

        /// Name with the measurement's prefix, for groups, workers and files.
        String named(String what) {
            return prefix + what;
        }

        /// A file or folder of the measurement.
        Path path(String what) {
            return root.resolve(named(what));
        }

        /// A topic is known before its partitions are served.
        private void awaitServed(Topic topic) {
            reader(topic).close();
        }

        /// A scan that follows the committed records of a topic of group A from its beginning.
        TopicScan reader(Topic topic) {
            return TopicScan.following(
                    Map.of("bootstrap.servers", bootstrapServers(), "max.poll.records", 10_000, "check.crcs", false),
                    SERVED, TopicScan.partitions(topic(topic), PARTITIONS));
        }

        /// Deletes the topics, those that Kafka Streams made too.
        @Override
        public void close() {
            try {
                admin.deleteTopics(admin.listTopics().names().get().stream().filter(name -> name.startsWith(prefix))
                        .toList()).all().get();
            } catch (ExecutionException e) {
                throw new IllegalStateException("the topics of " + prefix + " could not be deleted: " + e.getMessage(),
                        e);
            } catch (InterruptedException e) {
                // The broker and its data go away next.
                Thread.currentThread().interrupt();
            }
        }
    }

    @Override
    public void close() {
        admin.close(Duration.ZERO);
        stopBroker.run();
    }
}
