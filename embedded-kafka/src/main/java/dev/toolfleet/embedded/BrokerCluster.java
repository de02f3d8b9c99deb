package dev.toolfleet.embedded;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListTopicsOptions;

/// Brokers in processes of their own that form one cluster.
///
/// **Contract.** Each node is broker and controller. By default every topic has a copy on each node, and a write waits
/// for at least a majority of them. One of three may be killed, stopped and started again while the others go on. All
/// end with this JVM.
///
/// **Threads.** One thread at a time uses it.
public final class BrokerCluster implements AutoCloseable {

    private static final List<String> FLAGS = List.of("-Xmx256m", "-Xss512k", "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1");
    private static final Duration START = Duration.ofMinutes(2);
    private static final Duration PAUSE = Duration.ofMillis(100);

    private final List<BrokerProcess> brokers;

    private BrokerCluster(List<BrokerProcess> brokers) {
        this.brokers = brokers;
    }

    /// Starts a new cluster and returns when all its brokers serve clients.
    ///
    /// @param nodes number of nodes; of three, one may fail
    /// @param config of each, without port and data folder
    /// @param folder for their data and logs; a folder without a cluster's data
    /// @throws EmbeddedKafkaException if one cannot start
    public static BrokerCluster start(int nodes, EmbeddedKafkaConfig config, Path folder) throws InterruptedException {
        if (config.data().isPresent() || config.port() != 0) {
            throw new IllegalArgumentException("port is " + config.port() + " and data is " + config.data()
                    + "; the brokers of a cluster get ports and folders of their own");
        }
        List<Integer> ports = freePorts(2 * nodes);
        List<NodePlace> places = NodePlace.cluster(ports.subList(nodes, 2 * nodes));
        BrokerCluster cluster = new BrokerCluster(new ArrayList<>());
        try {
            // All at once: none is ready before a majority of them has elected a leader.
            for (int i = 0; i < nodes; i++) {
                cluster.brokers.add(BrokerProcess.begin(new BrokerLaunch(
                        config.withPort(ports.get(i)).withData(folder.resolve("broker-" + (i + 1))), places.get(i),
                        FLAGS, folder.resolve("broker-" + (i + 1) + ".log"), START)));
            }
            for (BrokerProcess broker : cluster.brokers) {
                broker.awaitReady();
            }
            cluster.awaitComplete(START);
            return cluster;
        } catch (InterruptedException | RuntimeException e) {
            cluster.close();
            throw e;
        }
    }

    private static List<Integer> freePorts(int count) {
        return IntStream.generate(ListenSockets::freeFixedPort).distinct().limit(count).boxed().toList();
    }

    /// `host:port` of all, for `bootstrap.servers`.
    public String bootstrapServers() {
        return brokers.stream().map(BrokerProcess::bootstrapServers).collect(Collectors.joining(","));
    }

    /// A broker, to be killed, stopped and started again.
    ///
    /// @param node from 1
    public BrokerProcess broker(int node) {
        return brokers.get(node - 1);
    }

    /// Returns when all brokers are members of the cluster and every partition has all its copies again: then one may
    /// be killed without stopping the others.
    ///
    /// @throws EmbeddedKafkaException if that is not so in time
    public void awaitComplete(Duration atMost) throws InterruptedException {
        long until = System.nanoTime() + atMost.toNanos();
        String missing = "";
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrapServers()))) {
            while (System.nanoTime() - until < 0) {
                try {
                    missing = missing(admin);
                    if (missing.isEmpty()) {
                        return;
                    }
                } catch (ExecutionException | TimeoutException e) {
                    missing = "an answer: " + e; // The loop tries again.
                }
                Thread.sleep(PAUSE);
            }
        }
        throw new EmbeddedKafkaException("after " + atMost + " the cluster still lacks " + missing);
    }

    private String missing(Admin admin) throws ExecutionException, TimeoutException, InterruptedException {
        long seconds = START.toSeconds();
        int members = admin.describeCluster().nodes().get(seconds, TimeUnit.SECONDS).size();
        if (members < brokers.size()) {
            return (brokers.size() - members) + " of " + brokers.size() + " brokers";
        }
        Set<String> topics = admin.listTopics(new ListTopicsOptions().listInternal(true)).names()
                .get(seconds, TimeUnit.SECONDS);
        return admin.describeTopics(topics).allTopicNames().get(seconds, TimeUnit.SECONDS).values().stream()
                .filter(topic -> topic.partitions().stream()
                        .anyMatch(partition -> partition.isr().size() < partition.replicas().size()))
                .map(topic -> "copies of " + topic.name()).findFirst().orElse("");
    }

    /// Kills all; their data stays.
    @Override
    public void close() {
        brokers.forEach(BrokerProcess::close);
    }
}
