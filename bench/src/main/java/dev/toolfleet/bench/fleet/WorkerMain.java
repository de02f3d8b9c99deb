package dev.toolfleet.bench.fleet;

import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletionException;

import dev.toolfleet.config.FleetConfig;
import dev.toolfleet.embedded.process.ParentLink;
import dev.toolfleet.worker.app.Worker;
import dev.toolfleet.worker.app.WorkerConfig;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A worker as a process of its own, for [WorkerSlot]. Its arguments are settings, `worker.name=worker-1`. SIGTERM
/// drains it; so does the parent's end.
public final class WorkerMain {
    private static final Logger LOG = LoggerFactory.getLogger(WorkerMain.class);
    private static final Duration LOOK_EVERY = Duration.ofMillis(200);

    private WorkerMain() {}

    /// Starts a worker, reports to the parent when it is ready, and serves until it is stopped.
    public static void main(String[] arguments) throws InterruptedException {
        ParentLink parent = ParentLink.open();
        try {
            Worker worker = Worker.start(config(arguments));
            Runtime.getRuntime().addShutdownHook(new Thread(worker::close, "worker-stop"));
            while (!worker.awaitReady(LOOK_EVERY)) {
                if (worker.ended().isDone()) {
                    // Told to stop before it was ready, unless it broke.
                    worker.ended().join();
                    return;
                }
                if (!worker.problems().isEmpty())
                    throw new IllegalStateException("the worker did not become ready: " + worker.problems());
            }
            LOG.info("worker is ready");
            parent.ready("ready");
            worker.ended().join();
        } catch (CompletionException | IllegalStateException e) {
            LOG.error("the worker broke", e);
            System.exit(1);
        }
    }

    private static WorkerConfig config(String[] arguments) {
        Map<String, String> settings = new HashMap<>();
        Arrays.stream(arguments).map(argument -> argument.split("=", 2))
                .forEach(pair -> settings.put(pair[0], pair[1]));
        // A benchmark runs no commands of others.
        settings.putIfAbsent("worker.sandbox.mode", "preferred");
        FleetConfig config = FleetConfig.load(null, Map.of(), settings);
        return WorkerConfig.of(config.kafka(), config.topics(), config.worker(), "worker");
    }
}
