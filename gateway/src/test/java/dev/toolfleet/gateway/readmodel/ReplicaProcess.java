package dev.toolfleet.gateway.readmodel;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import dev.toolfleet.embedded.process.ChildJvm;
import dev.toolfleet.embedded.process.ParentLink;
import dev.toolfleet.topic.Topics;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;

/// A replica in a process of its own, so that it can be killed. Its arguments are broker, prefix, folder and client
/// properties, `linger.ms=0`.
final class ReplicaProcess {
    private static final List<String> FLAGS = List.of("-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");

    private ReplicaProcess() {}

    /// Starts one and returns at once.
    static ChildJvm launch(String bootstrapServers, Topics topics, Path stateDir, Path log,
            Map<String, String> properties) {
        List<String> arguments = new ArrayList<>(List.of(bootstrapServers, topics.prefix(), stateDir.toString()));
        properties.forEach((name, value) -> arguments.add(name + "=" + value));
        return ChildJvm.start(new ChildJvm.Launch(ReplicaProcess.class, FLAGS, arguments, log));
    }

    /// Serves until it is stopped.
    public static void main(String[] arguments) {
        ParentLink parent = ParentLink.open();
        Map<String, String> properties = Arrays.stream(arguments).skip(3).map(argument -> argument.split("=", 2))
                .collect(Collectors.toMap(pair -> pair[0], pair -> pair[1]));
        try (ReadModel model = Fleet.model(arguments[0], new Topics(arguments[1]), Path.of(arguments[2]),
                new SimpleMeterRegistry(), properties)) {
            model.start();
            parent.ready("ready");
            model.stopped().join();
        }
    }
}
