package dev.toolfleet.embedded;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

import kafka.server.KafkaConfig;
import scala.jdk.javaapi.CollectionConverters;

/// The broker's properties: sized for one machine, and with short waits where a broker for many machines waits long.
final class BrokerSettings {

    static final String CONTROLLER = "CONTROLLER";
    private static final String PLAIN = "PLAIN";
    private static final String AUTHORIZER = "org.apache.kafka.metadata.authorizer.StandardAuthorizer";

    private static final Map<String, String> TOPICS = Map.ofEntries(
            Map.entry("offsets.topic.num.partitions", "4"),
            Map.entry("transaction.state.log.num.partitions", "4"),
            Map.entry("share.coordinator.state.topic.num.partitions", "2"),
            Map.entry("auto.create.topics.enable", "false"));

    /// A copy on each node; most of them must have a record before it counts.
    private static final List<String> COPIES = List.of("offsets.topic.replication.factor",
            "transaction.state.log.replication.factor", "share.coordinator.state.topic.replication.factor",
            "default.replication.factor");
    private static final List<String> COPIES_IN_SYNC = List.of("transaction.state.log.min.isr",
            "share.coordinator.state.topic.min.isr", "min.insync.replicas");

    /// Threads and buffers for a broker that shares its machine with everything else; the defaults reserve 128 MB for
    /// the cleaner alone.
    private static final Map<String, String> SMALL = Map.ofEntries(
            Map.entry("message.max.bytes", Integer.toString(8 * 1024 * 1024)),
            Map.entry("num.network.threads", "2"),
            Map.entry("num.io.threads", "4"),
            Map.entry("background.threads", "2"),
            Map.entry("num.recovery.threads.per.data.dir", "2"),
            Map.entry("log.cleaner.dedupe.buffer.size", Integer.toString(8 * 1024 * 1024)),
            Map.entry("log.index.size.max.bytes", Integer.toString(1024 * 1024)),
            Map.entry("metric.reporters", ""));

    private static final Map<String, String> IMPATIENT = Map.ofEntries(
            Map.entry("group.initial.rebalance.delay.ms", "0"),
            Map.entry("group.min.session.timeout.ms", "1000"),
            Map.entry("broker.heartbeat.interval.ms", "500"),
            // After a crash the new broker is refused for as long as the old one's session lasts.
            Map.entry("broker.session.timeout.ms", "5000"),
            Map.entry("transaction.abort.timed.out.transaction.cleanup.interval.ms", "500"),
            Map.entry("log.initial.task.delay.ms", "1000"),
            Map.entry("log.cleaner.backoff.ms", "1000"),
            Map.entry("log.segment.delete.delay.ms", "1000"),
            // A record for the idle metadata log costs an fsync; one in 5 s is enough.
            Map.entry("metadata.max.idle.interval.ms", "5000"));

    /// Settings that a caller must not set, since the module depends on them.
    private static final Set<String> OWN = Set.of("process.roles", "node.id", "broker.id", "log.dir",
            "log.dirs", "metadata.log.dir", "listeners", "advertised.listeners", "listener.security.protocol.map",
            "inter.broker.listener.name", "security.inter.broker.protocol", "controller.listener.names",
            "controller.quorum.voters", "controller.quorum.bootstrap.servers", "num.partitions",
            "authorizer.class.name",
            "super.users", "sasl.enabled.mechanisms", "sasl.mechanism.inter.broker.protocol",
            "sasl.mechanism.controller.protocol");

    private BrokerSettings() {}

    static Properties of(EmbeddedKafkaConfig config, NodePlace place, ListenSockets sockets, String folder) {
        Properties settings = new Properties();
        settings.putAll(anywhere(config, place.nodes()));
        String protocol = config.users().isPresent() ? "SASL_PLAINTEXT" : "PLAINTEXT";
        settings.putAll(own(place, sockets, folder, protocol));
        config.users().ifPresent(users -> settings.putAll(secured(users, protocol)));
        return settings;
    }

    /// Returns the settings that do not depend on the broker's place.
    static Map<String, String> anywhere(EmbeddedKafkaConfig config, int nodes) {
        Map<String, String> settings = new TreeMap<>(TOPICS);
        COPIES.forEach(name -> settings.put(name, Integer.toString(nodes)));
        COPIES_IN_SYNC.forEach(name -> settings.put(name, Integer.toString(nodes / 2 + 1)));
        // The other brokers may start later.
        settings.put("initial.broker.registration.timeout.ms", nodes == 1 ? "60000" : "90000");
        settings.putAll(SMALL);
        settings.putAll(IMPATIENT);
        // The only broker has no successor. A restart on its data would wait for the end of its session.
        if (nodes == 1 && config.data().isEmpty())
            settings.put("broker.session.timeout.ms", "60000");
        settings.put("num.partitions", Integer.toString(config.partitions()));
        settings.putAll(config.properties());
        return settings;
    }

    /// Throws `IllegalArgumentException` naming the first setting that the broker does not know, or that a caller must
    /// not set.
    static void check(Map<String, String> properties) {
        if (properties.isEmpty()) {
            return;
        }
        var known = CollectionConverters.asJava(KafkaConfig.configNames());
        properties.forEach((name, value) -> {
            if (OWN.contains(name)) {
                throw new IllegalArgumentException("the broker setting " + name + " (" + value
                        + ") is the embedded broker's own; leave it out, or use the port, data, partitions and users of the configuration");
            }
            if (!known.contains(name)) {
                throw new IllegalArgumentException(
                        "there is no broker setting " + name + " (" + value + "); check its spelling");
            }
        });
    }

    /// @param protocol of all connections, and the name of the clients' listener
    private static Map<String, String> own(NodePlace place, ListenSockets sockets, String folder, String protocol) {
        String clients = protocol + "://" + ListenSockets.HOST + ":" + sockets.clientPort();
        String controller = ListenSockets.HOST + ":" + sockets.controllerAddress().getPort();
        String voters = place.voters(sockets.controllerAddress()).entrySet().stream()
                .map(voter -> voter.getKey() + "@" + ListenSockets.HOST + ":" + voter.getValue().getPort())
                .collect(Collectors.joining(","));
        return Map.ofEntries(
                Map.entry("process.roles", "broker,controller"),
                Map.entry("node.id", Integer.toString(place.node())),
                Map.entry("log.dirs", folder),
                Map.entry("listeners", clients + "," + CONTROLLER + "://" + controller),
                Map.entry("advertised.listeners", clients),
                Map.entry("listener.security.protocol.map",
                        protocol + ":" + protocol + "," + CONTROLLER + ":" + protocol),
                Map.entry("inter.broker.listener.name", protocol),
                Map.entry("controller.listener.names", CONTROLLER),
                // Static voters are not written to the metadata log, so the port may differ at the next start.
                Map.entry("controller.quorum.voters", voters));
    }

    /// Returns the settings of a secured broker. The controller's port requires the same login. Otherwise: an unknown
    /// client there has the rights of the broker.
    private static Map<String, String> secured(BrokerUsers users, String clients) {
        return Map.of("authorizer.class.name", AUTHORIZER,
                "super.users", "User:" + users.superUser(),
                "sasl.enabled.mechanisms", PLAIN,
                "sasl.mechanism.inter.broker.protocol", PLAIN,
                "sasl.mechanism.controller.protocol", PLAIN,
                login(clients), users.brokerLogin(),
                login(CONTROLLER), users.brokerLogin());
    }

    private static String login(String listener) {
        return "listener.name." + listener.toLowerCase(Locale.ROOT) + ".plain.sasl.jaas.config";
    }
}
