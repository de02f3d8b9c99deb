package dev.toolfleet.embedded;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.toolfleet.embedded.process.ParentLink;

/// An [EmbeddedKafka] as a process of its own, for [BrokerProcess]. SIGTERM and the parent's end close it.
public final class BrokerMain {

    private static final String PORT = "port";
    private static final String DATA = "data";
    private static final String PARTITIONS = "partitions";
    private static final String NODE = "node";
    private static final String CLUSTER = "cluster";
    private static final String CONTROLLERS = "controllers";
    /// Prefix of arguments with broker settings.
    private static final String PROPERTY = "property:";

    private BrokerMain() {}

    /// Starts a broker, reports its port to the parent, and serves until it is stopped.
    public static void main(String[] arguments) throws InterruptedException {
        ParentLink parent = ParentLink.open();
        EmbeddedKafka broker = EmbeddedKafka.start(config(List.of(arguments)), place(List.of(arguments)));
        Runtime.getRuntime().addShutdownHook(new Thread(broker::close, "broker-stop"));
        parent.ready(Integer.toString(broker.port()));
        Thread.currentThread().join();
    }

    /// Returns the arguments for a configuration and a place.
    ///
    /// @throws IllegalArgumentException when it has users: every user of the machine can read arguments
    static List<String> arguments(EmbeddedKafkaConfig config, NodePlace place) {
        config.users().ifPresent(users -> {
            throw new IllegalArgumentException(
                    "users is " + users + "; a broker with users runs in this JVM alone, see EmbeddedKafka");
        });
        List<String> arguments = new ArrayList<>();
        arguments.add(PORT + "=" + config.port());
        arguments.add(PARTITIONS + "=" + config.partitions());
        config.data().ifPresent(folder -> arguments.add(DATA + "=" + folder.toAbsolutePath()));
        config.properties().forEach((name, value) -> arguments.add(PROPERTY + name + "=" + value));
        arguments.add(NODE + "=" + place.node());
        arguments.add(CLUSTER + "=" + place.clusterId());
        arguments.add(CONTROLLERS + "="
                + place.controllerPorts().stream().map(String::valueOf).collect(Collectors.joining(",")));
        return arguments;
    }

    /// Reads the configuration that [#arguments] wrote.
    static EmbeddedKafkaConfig config(List<String> arguments) {
        EmbeddedKafkaConfig config = EmbeddedKafkaConfig.temporary();
        for (String argument : arguments) {
            int equals = argument.indexOf('=');
            if (equals < 0) {
                throw new IllegalArgumentException("the argument " + argument + " is not of the form name=value");
            }
            config = with(config, argument.substring(0, equals), argument.substring(equals + 1));
        }
        return config;
    }

    /// Reads the place that [#arguments] wrote.
    static NodePlace place(List<String> arguments) {
        return new NodePlace(Integer.parseInt(value(arguments, NODE)), value(arguments, CLUSTER),
                Stream.of(value(arguments, CONTROLLERS).split(",", -1)).map(Integer::valueOf).toList());
    }

    private static String value(List<String> arguments, String name) {
        return arguments.stream().filter(argument -> argument.startsWith(name + "="))
                .map(argument -> argument.substring(name.length() + 1)).findFirst()
                .orElseThrow(() -> new IllegalArgumentException("the argument " + name + " is missing"));
    }

    private static EmbeddedKafkaConfig with(EmbeddedKafkaConfig config, String name, String value) {
        if (name.startsWith(PROPERTY)) {
            return config.withProperty(name.substring(PROPERTY.length()), value);
        }
        return switch (name) {
            case PORT -> config.withPort(Integer.parseInt(value));
            case DATA -> config.withData(Path.of(value));
            case PARTITIONS -> config.withPartitions(Integer.parseInt(value));
            case NODE, CLUSTER, CONTROLLERS -> config;
            default -> throw new IllegalArgumentException("there is no argument " + name + " (" + value + ")");
        };
    }
}
