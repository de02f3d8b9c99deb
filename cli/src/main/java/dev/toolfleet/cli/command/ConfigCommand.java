package dev.toolfleet.cli.command;

import java.util.concurrent.Callable;

import dev.toolfleet.cli.fleet.CatalogSettings;
import dev.toolfleet.cli.fleet.GatewaySettings;
import dev.toolfleet.cli.fleet.SessionSettings;
import dev.toolfleet.cli.table.Grid;
import dev.toolfleet.cli.table.Style;
import dev.toolfleet.cli.terminal.Failure;
import dev.toolfleet.config.Effective;
import dev.toolfleet.config.FleetConfig;
import dev.toolfleet.worker.app.WorkerConfig;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(name = "config", header = "Prints the effective configuration, secrets masked.", description = {"",
        "Each setting with its value and where it comes from: the file is overridden by environment"
                + " variables, and these by flags. The variable of a key is the key in upper case, with _ for every"
                + " other character, behind TOOLFLEET_: worker.maxInFlight is TOOLFLEET_WORKER_MAXINFLIGHT. Secrets"
                + " belong in the environment."}, footer = {"", "Examples:", "  toolfleet config",
                        "  toolfleet config --config prod.yaml --set worker.maxInFlight=500",
                        "  TOOLFLEET_KAFKA_PROPERTIES_SASL_JAAS_CONFIG=... toolfleet config"})
final class ConfigCommand implements Callable<Integer> {
    private final CommandContext context;

    @Mixin
    private FleetOptions fleet = new FleetOptions();

    ConfigCommand(CommandContext context) {
        this.context = context;
    }

    @Override
    public Integer call() {
        FleetConfig config = fleet.load(context.environment());
        // Reading them shows their defaults and finds what is wrong with them.
        WorkerConfig.of(config.kafka(), config.topics(), config.worker(), "HOST-ID");
        CatalogSettings.of(config);
        GatewaySettings.of(config);
        SessionSettings.of(config);
        Grid grid = new Grid(Integer.MAX_VALUE, "setting", "value", "from");
        for (Effective setting : config.effective())
            grid.row(setting.key(), setting.shown(), setting.origin());
        grid.lines(new Style(context.terminal().colour())).forEach(context.terminal()::print);
        return Failure.SUCCESS;
    }
}
