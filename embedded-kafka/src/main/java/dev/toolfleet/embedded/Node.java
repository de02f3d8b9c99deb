package dev.toolfleet.embedded;

import java.time.Duration;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;

import kafka.server.BrokerServer;
import kafka.server.ControllerServer;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import kafka.server.Server$;
import kafka.server.SharedServer;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.metadata.bootstrap.BootstrapMetadata;
import org.apache.kafka.metadata.properties.MetaPropertiesEnsemble;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Kafka's own servers, wired as `KafkaRaftServer` wires them, but with sockets that are bound already and with faults
/// that leave the JVM alone.
final class Node {

    private static final Logger LOG = LoggerFactory.getLogger(Node.class);
    private static final Duration CONTROLLED_SHUTDOWN = Duration.ofSeconds(10);

    private final FirstFault faults = new FirstFault();
    private final String clusterId;
    private final ControllerServer controller;
    private final BrokerServer broker;

    private Node(Properties settings, ListenSockets sockets, NodePlace place) {
        KafkaConfig config = KafkaConfig.fromProps(settings, false);
        var logDirs = KafkaRaftServer.initializeLogDirs(config, LOG, "");
        MetaPropertiesEnsemble meta = logDirs._1();
        BootstrapMetadata bootstrap = logDirs._2();
        this.clusterId = meta.clusterId().orElseThrow();
        var shared = new SharedServer(config, meta, Time.SYSTEM,
                Server$.MODULE$.initializeMetrics(config, Time.SYSTEM, clusterId),
                CompletableFuture.completedFuture(place.voters(sockets.controllerAddress())),
                List.of(), faults,
                sockets);
        this.controller = new ControllerServer(shared, KafkaRaftServer.configSchema(), bootstrap);
        this.broker = new BrokerServer(shared);
    }

    String clusterId() {
        return clusterId;
    }

    /// Returns when the node serves clients. If the start fails, everything that had started is stopped first.
    static Node start(Properties settings, ListenSockets sockets, NodePlace place) {
        Node node = new Node(settings, sockets, place);
        try {
            node.controller.startup();
            node.broker.startup();
            return node;
        } catch (Exception e) { // Scala throws checked ones unannounced.
            node.stop();
            Throwable cause = node.faults.cause().orElse(e);
            throw new IllegalStateException(cause.getMessage(), cause);
        }
    }

    /// Returns when both have stopped.
    void stop() {
        broker.shutdown(CONTROLLED_SHUTDOWN);
        controller.shutdown();
        broker.awaitShutdown();
        controller.awaitShutdown();
    }
}
