package dev.toolfleet.worker.fleet;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import dev.toolfleet.embedded.process.ChildJvm;
import dev.toolfleet.embedded.process.ParentLink;
import dev.toolfleet.worker.app.Worker;

/// A worker of a [TestFleet] in a process of its own, which a test can kill.
public final class WorkerMain {
    private static final List<String> FLAGS = List.of("-Xmx160m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");

    private WorkerMain() {}

    /// Starts a worker, prints a line when it is ready, and works until SIGTERM drains it.
    public static void main(String[] arguments) throws InterruptedException {
        ParentLink parent = ParentLink.open();
        Map<String, String> settings = new HashMap<>();
        for (String argument : List.of(arguments).subList(4, arguments.length)) {
            int equals = argument.indexOf('=');
            settings.put(argument.substring(0, equals), argument.substring(equals + 1));
        }
        Worker worker = Worker.start(
                TestFleet.config(arguments[0], arguments[1], Path.of(arguments[2]), arguments[3], settings));
        Runtime.getRuntime().addShutdownHook(new Thread(worker::close, "worker-stop"));
        if (!worker.awaitReady(Duration.ofMinutes(2)))
            throw new IllegalStateException("not ready: " + worker.notReady());
        parent.ready(arguments[3]);
        Thread.currentThread().join();
    }

    /// Returns at once.
    static ChildJvm start(TestFleet fleet, Path folder, String name) {
        List<String> arguments = new ArrayList<>(
                List.of(fleet.kafka().bootstrapServers(), fleet.topics.prefix(), folder.toString(), name));
        fleet.workerSettings().forEach((key, value) -> arguments.add(key + "=" + value));
        return ChildJvm.start(new ChildJvm.Launch(WorkerMain.class, FLAGS, arguments, folder.resolve(name + ".log")));
    }
}
