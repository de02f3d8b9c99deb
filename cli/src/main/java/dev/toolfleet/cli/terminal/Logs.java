package dev.toolfleet.cli.terminal;

import java.util.List;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import org.slf4j.LoggerFactory;

/// Level of the logs on standard error. `logback.xml` begins like [#QUIET].
public enum Logs {
    /// Warnings of the fleet, nothing of Kafka: a command that answers a person.
    QUIET("WARN", "OFF", "OFF"),
    /// Events of the fleet and Kafka's warnings: for a process that runs until it is stopped.
    SERVICE("INFO", "WARN", "ERROR"),
    /// Everything that helps to find a fault.
    VERBOSE("DEBUG", "INFO", "WARN");

    private static final List<String> KAFKA = List.of("org.apache.kafka", "kafka", "state.change.logger");
    /// A broker in this JVM logs under the clients' root too; these are the parts that only a broker has.
    private static final List<String> BROKER = List.of("kafka", "state.change.logger", "org.apache.kafka.controller",
            "org.apache.kafka.coordinator", "org.apache.kafka.image", "org.apache.kafka.metadata",
            "org.apache.kafka.queue", "org.apache.kafka.raft", "org.apache.kafka.server", "org.apache.kafka.storage");

    /// Loggers whose warnings repeat a line of the fleet, or name no fault: a silent broker, and offsets that are
    /// missing at a take-over.
    private static final List<String> REPETITIVE = List.of("org.apache.kafka.clients.NetworkClient",
            "org.apache.kafka.clients.consumer.internals.OffsetFetcherUtils",
            "org.apache.kafka.clients.admin.internals.PartitionLeaderStrategy");

    private final String fleet;
    private final String kafka;
    private final String broker;

    Logs(String fleet, String kafka, String broker) {
        this.fleet = fleet;
        this.kafka = kafka;
        this.broker = broker;
    }

    /// Makes the logs that loud.
    public void apply() {
        set("dev.toolfleet", fleet);
        KAFKA.forEach(name -> set(name, kafka));
        BROKER.forEach(name -> set(name, broker));
        REPETITIVE.forEach(name -> set(name, this == VERBOSE ? kafka : "OFF"));
    }

    private static void set(String name, String level) {
        if (LoggerFactory.getLogger(name) instanceof Logger logger)
            logger.setLevel(Level.toLevel(level));
    }
}
