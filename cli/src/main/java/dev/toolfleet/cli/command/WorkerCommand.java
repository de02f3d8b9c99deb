package dev.toolfleet.cli.command;

import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;

import dev.toolfleet.cli.fleet.TempFolder;
import dev.toolfleet.cli.terminal.Failure;
import dev.toolfleet.cli.terminal.Logs;
import dev.toolfleet.cli.terminal.StopSignal;
import dev.toolfleet.config.FleetConfig;
import dev.toolfleet.worker.app.Worker;
import dev.toolfleet.worker.app.WorkerConfig;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(name = "worker", header = "Runs one worker of a fleet until it is told to stop.", description = {"",
        "Workers of one group share the calls; start as many as you like. On SIGTERM a worker takes no"
                + " new calls and lets running ones end for up to worker.drain.timeout. When the tool self-restart asks for"
                + " it, it does the same and ends with 75, and the launcher starts it again.",
        "",
        "It tells health and metrics over HTTP (worker.http.port, default 7071 on this machine alone; off for none): a"
                + " second worker on a machine needs another port."}, footer = {"",
                        "Examples:",
                        "  toolfleet worker --config fleet.yaml",
                        "  toolfleet worker --config fleet.yaml --set worker.http.port=7081",
                        "  curl http://127.0.0.1:7071/health/ready",
                        "  toolfleet worker --bootstrap broker:9092 --bundle @acme/builds=/srv/builds --classpath tools.jar"})
final class WorkerCommand implements Callable<Integer> {
    private static final Duration STOP_MARGIN = Duration.ofSeconds(15);

    private final CommandContext context;

    @Mixin
    private FleetOptions fleet = new FleetOptions();

    @Option(names = "--bundle", paramLabel = "NAME=DIR", description = "Where the files of a bundle lie (default: worker.bundles and the bundle's name).")
    private Map<String, Path> bundles = new LinkedHashMap<>();

    WorkerCommand(CommandContext context) {
        this.context = context;
    }

    @Override
    public Integer call() {
        Logs.SERVICE.apply();
        FleetConfig config = fleet.load(context.environment());
        WorkerConfig worker = worker(config);
        TempFolder.writable(worker.folders().workspace(), "the workspace");
        TempFolder.writable(worker.folders().completion().stateDir(), "worker.completion.stateDir");
        try (StopSignal stop = StopSignal.install(worker.life().drainTimeout().plus(STOP_MARGIN));
                Worker running = Worker.serve(worker)) {
            ReadinessLog readiness = new ReadinessLog("worker");
            CompletableFuture<String> restart = running.restart();
            ServiceCommand.await(stop, running.ended(), "the worker " + worker.identity().name(), () -> {
                readiness.look(running.notReady());
                return restart.isDone();
            });
            return restart.isDone() && !stop.asked() ? Failure.RESTART : Failure.SUCCESS;
        }
    }

    private WorkerConfig worker(FleetConfig config) {
        Path root = config.worker().path("bundles", Path.of("bundles"));
        return WorkerConfig.of(config.kafka(), config.topics(), config.worker(), name(),
                bundle -> bundles.getOrDefault(bundle, root.resolve(bundle)));
    }

    private String name() {
        String host = context.environment().getOrDefault("HOSTNAME", "worker").replaceAll("[^A-Za-z0-9._-]", "-");
        return host + "-" + UUID.randomUUID().toString().substring(0, 8);
    }
}
