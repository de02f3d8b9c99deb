package dev.toolfleet.cli.handle;

import java.util.List;
import java.util.Optional;

import dev.toolfleet.cli.fleet.ProgressNote;
import dev.toolfleet.cli.fleet.RemoteFleet;
import dev.toolfleet.cli.table.ShownJson;
import dev.toolfleet.cli.terminal.Failure;
import dev.toolfleet.cli.terminal.Terminal;
import dev.toolfleet.client.HandleReader;
import dev.toolfleet.client.HandleState;

/// `toolfleet handles`: which handles are open, or what became of one.
public final class HandleViewer {
    private static final int MAX_ROWS = 200;

    private final RemoteFleet fleet;
    private final Terminal terminal;

    /// Handles of this fleet.
    public HandleViewer(RemoteFleet fleet) {
        this.fleet = fleet;
        this.terminal = fleet.terminal();
    }

    /// Prints the open handles, the oldest first.
    ///
    /// @param instance only those of this one; empty for all
    /// @param json one JSON object a line
    public int list(Optional<String> instance, boolean json) {
        List<HandleState.Open> open;
        try (ProgressNote progress = fleet.progress(); HandleReader reader = fleet.handles(progress)) {
            open = reader.open(call -> instance.isEmpty() || instance.get().equals(call.call().instanceKey()));
        }
        if (json) {
            open.forEach(state -> terminal.print(ShownJson.line(HandleJson.of(state))));
            return Failure.SUCCESS;
        }
        if (open.isEmpty()) {
            terminal.print("no handle is open" + instance.map(key -> " for instance '" + key + "'").orElse(""));
            return Failure.SUCCESS;
        }
        terminal.print(new HandleText(fleet.view()).table(open.subList(0, Math.min(MAX_ROWS, open.size()))));
        if (open.size() > MAX_ROWS)
            terminal.print("and " + (open.size() - MAX_ROWS) + " more (--json shows all, --instance narrows)");
        return Failure.SUCCESS;
    }

    /// Prints all that is known of one handle.
    ///
    /// @return 1 when it is unknown
    public int show(String handle, boolean json) {
        HandleState state = read(fleet, handle);
        if (json)
            terminal.print(ShownJson.pretty(HandleJson.of(state)));
        else
            terminal.print(new HandleText(fleet.view()).card(state));
        return state instanceof HandleState.Unknown ? Failure.FAILED : Failure.SUCCESS;
    }

    static HandleState read(RemoteFleet fleet, String handle) {
        try (ProgressNote progress = fleet.progress(); HandleReader reader = fleet.handles(progress)) {
            return reader.read(handle);
        }
    }
}
