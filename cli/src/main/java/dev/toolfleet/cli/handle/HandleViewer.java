package dev.toolfleet.cli.handle;

import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

import dev.toolfleet.cli.fleet.ProgressNote;
import dev.toolfleet.cli.fleet.RemoteFleet;
import dev.toolfleet.cli.table.Style;
import dev.toolfleet.cli.terminal.Failure;
import dev.toolfleet.cli.terminal.Terminal;
import dev.toolfleet.client.HandleReader;
import dev.toolfleet.client.HandleState;
import dev.toolfleet.config.FleetConfig;
import dev.toolfleet.json.Json;

/// `toolfleet handles`: which handles are open, or what became of one.
public final class HandleViewer {
    private static final int MAX_ROWS = 200;

    private final FleetConfig fleet;
    private final Terminal terminal;
    private final InstantSource clock;

    /// Handles of this fleet.
    ///
    /// @param clock tells ages
    public HandleViewer(FleetConfig fleet, Terminal terminal, InstantSource clock) {
        this.fleet = fleet;
        this.terminal = terminal;
        this.clock = clock;
    }

    /// Prints the open handles, the oldest first.
    ///
    /// @param instance only those of this one; empty for all
    /// @param json one JSON object a line
    public int list(Optional<String> instance, boolean json) {
        List<HandleState.Open> open;
        try (ProgressNote progress = new ProgressNote(terminal); HandleReader reader = reader(fleet, progress)) {
            open = reader.open(call -> instance.isEmpty() || instance.get().equals(call.call().instanceKey()));
        }
        if (json) {
            open.forEach(state -> terminal.print(HandleJson.of(state).toString()));
            return Failure.SUCCESS;
        }
        if (open.isEmpty()) {
            terminal.print("no handle is open" + instance.map(key -> " for instance '" + key + "'").orElse(""));
            return Failure.SUCCESS;
        }
        text(clock.instant()).table(open.subList(0, Math.min(MAX_ROWS, open.size()))).forEach(terminal::print);
        if (open.size() > MAX_ROWS)
            terminal.print("and " + (open.size() - MAX_ROWS) + " more (--json shows all, --instance narrows)");
        return Failure.SUCCESS;
    }

    /// Prints all that is known of one handle.
    ///
    /// @return 1 when it is unknown
    public int show(String handle, boolean json) {
        HandleState state = read(fleet, terminal, handle);
        if (json)
            terminal.print(Json.MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(HandleJson.of(state)));
        else
            text(clock.instant()).card(state).forEach(terminal::print);
        return state instanceof HandleState.Unknown ? Failure.FAILED : Failure.SUCCESS;
    }

    static HandleState read(FleetConfig fleet, Terminal terminal, String handle) {
        try (ProgressNote progress = new ProgressNote(terminal); HandleReader reader = reader(fleet, progress)) {
            return reader.read(handle);
        }
    }

    static HandleReader reader(FleetConfig fleet, ProgressNote progress) {
        return HandleReader.open(RemoteFleet.client(fleet),
                (topic, read, all) -> progress.doing("reading " + topic + ", " + read + " of " + all + " records"));
    }

    private HandleText text(Instant now) {
        return new HandleText(new Style(terminal.colour()), terminal.width(), now);
    }
}
