package dev.toolfleet.console;

import java.time.InstantSource;
import java.util.List;

import dev.toolfleet.console.operate.OperatorCommands;
import dev.toolfleet.console.page.ConsoleRoutes;
import dev.toolfleet.gateway.app.GatewayPages;
import dev.toolfleet.http.Route;

/// Console of the fleet: pages in which people see what the fleet does, and act on it.
public final class Console implements GatewayPages {
    private final OperatorCommands commands;

    /// Makes pages that run these commands.
    public Console(OperatorCommands commands) {
        this.commands = commands;
    }

    @Override
    public List<Route> routes(Rooms rooms) {
        return ConsoleRoutes.of(rooms, commands, InstantSource.system());
    }
}
