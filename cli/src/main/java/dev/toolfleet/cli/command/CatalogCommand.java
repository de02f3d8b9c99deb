package dev.toolfleet.cli.command;

import java.time.Duration;
import java.util.concurrent.Callable;

import dev.toolfleet.catalog.app.CatalogConfig;
import dev.toolfleet.catalog.app.CatalogService;
import dev.toolfleet.cli.fleet.CatalogSettings;
import dev.toolfleet.cli.fleet.TempFolder;
import dev.toolfleet.cli.terminal.Failure;
import dev.toolfleet.cli.terminal.Logs;
import dev.toolfleet.cli.terminal.StopSignal;
import dev.toolfleet.config.FleetConfig;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(name = "catalog", header = "Runs one catalog service of a fleet until it is told to stop.", description = {"",
        "It answers each step that is announced on agent.step with the tools that its model may see."
                + " Services of one group share the work. It tells catalogs, resources, agents, health and metrics"
                + " over HTTP (catalog.http.port, default 7070 on this machine alone; off for none)."}, footer = {"", "Examples:",
                        "  toolfleet catalog --config fleet.yaml",
                        "  toolfleet catalog --bootstrap broker:9092 --set catalog.stateDir=/var/lib/toolfleet",
                        "  curl http://127.0.0.1:7070/health/ready"})
final class CatalogCommand implements Callable<Integer> {
    private static final Duration STOP_PATIENCE = Duration.ofSeconds(15);

    private final CommandContext context;

    @Mixin
    private FleetOptions fleet = new FleetOptions();

    CatalogCommand(CommandContext context) {
        this.context = context;
    }

    @Override
    public Integer call() {
        Logs.SERVICE.apply();
        FleetConfig settings = fleet.load(context.environment());
        CatalogConfig config = CatalogSettings.of(settings);
        TempFolder.writable(config.stateDir(), "the catalog service's folder");
        try (StopSignal stop = StopSignal.install(STOP_PATIENCE);
                CatalogService service = new CatalogService(config, config.bundles()::resolve,
                        CatalogSettings.http(settings))) {
            service.start();
            ServiceCommand.await(stop, service.stopped(), "the catalog service");
        }
        return Failure.SUCCESS;
    }
}
