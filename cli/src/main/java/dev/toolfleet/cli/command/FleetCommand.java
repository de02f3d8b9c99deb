package dev.toolfleet.cli.command;

import java.util.concurrent.Callable;

import dev.toolfleet.cli.fleet.RemoteFleet;
import picocli.CommandLine.Mixin;

/// Command for operators of a fleet that runs elsewhere.
abstract class FleetCommand implements Callable<Integer> {
    private final CommandContext context;

    @Mixin
    private FleetOptions fleet = new FleetOptions();

    FleetCommand(CommandContext context) {
        this.context = context;
    }

    /// The fleet that the options name.
    final RemoteFleet fleet() {
        return fleet.open(context);
    }
}
