package dev.toolfleet.gateway.readmodel;

import java.nio.file.Path;
import java.util.List;

import dev.toolfleet.embedded.process.ChildJvm;
import dev.toolfleet.embedded.process.ParentLink;
import dev.toolfleet.topic.Topics;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;

/// A replica in a process of its own, so that it can be killed. Its arguments are broker, prefix and folder.
final class ReplicaProcess {
    private static final List<String> FLAGS = List.of("-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");

    private ReplicaProcess() {}

    /// Starts one and returns at once.
    static ChildJvm launch(String bootstrapServers, Topics topics, Path stateDir, Path log) {
        return ChildJvm.start(new ChildJvm.Launch(ReplicaProcess.class, FLAGS,
                List.of(bootstrapServers, topics.prefix(), stateDir.toString()), log));
    }

    /// Serves until it is stopped.
    public static void main(String[] arguments) {
        ParentLink parent = ParentLink.open();
        try (ReadModel model = Fleet.model(arguments[0], new Topics(arguments[1]), Path.of(arguments[2]),
                new SimpleMeterRegistry())) {
            model.start();
            parent.ready("ready");
            model.stopped().join();
        }
    }
}
