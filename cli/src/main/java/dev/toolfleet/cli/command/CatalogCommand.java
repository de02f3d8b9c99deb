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
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(name = "catalog", header = "Runs one catalog service of a fleet until it is told to stop.", description = {"",
        "It answers each step that is announced on agent.step with the tools that its model may see."
                + " Services of one group share the work."}, footer = {"", "Examples:",
                        "  toolfleet catalog --config fleet.yaml",
                        "  toolfleet catalog --bootstrap broker:9092 --set catalog.stateDir=/var/lib/toolfleet"})
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
        CatalogConfig config = CatalogSettings.of(fleet.load(context.environment()));
        TempFolder.writable(config.stateDir(), "the catalog service's folder");
        try (StopSignal stop = StopSignal.install(STOP_PATIENCE); CatalogService service = new CatalogService(config)) {
            service.start();
            ServiceCommand.await(stop, service.stopped(), "the catalog service");
        }
        return Failure.SUCCESS;
    }
}
