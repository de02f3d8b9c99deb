package dev.toolfleet.bench.command;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

import dev.toolfleet.bench.crash.CrashOptions;
import dev.toolfleet.bench.crash.CrashRun;
import dev.toolfleet.bench.verdict.CrashReport;
import dev.toolfleet.cli.fleet.LoggedRun;
import dev.toolfleet.cli.table.Style;
import dev.toolfleet.cli.terminal.Failure;
import dev.toolfleet.cli.terminal.Terminal;
import dev.toolfleet.json.Json;
import tools.jackson.databind.node.ObjectNode;

/// `toolfleet bench crash`: runs, prints the report, and keeps what the run wrote when it did not end well.
public final class CrashBench {
    private final CrashOptions options;
    private final Optional<Path> json;
    private final Terminal terminal;

    /// @param json where the report goes besides the terminal
    public CrashBench(CrashOptions options, Optional<Path> json, Terminal terminal) {
        this.options = options;
        this.json = json;
        this.terminal = terminal;
    }

    /// Runs.
    ///
    /// @return the exit code
    /// @throws Failure when the run could not be done
    public int run() {
        return LoggedRun.run(terminal, "the run could not be done", folder -> {
            terminal.note("toolfleet: seed " + options.seed() + ", " + options.duration().toSeconds() + " s, "
                    + options.callsPerSecond() + " calls a second, data in " + folder);
            CrashReport report = new CrashRun(options, folder, terminal::note).run();
            write(report, folder.resolve("report.json"));
            if (json.isPresent())
                write(report, json.get());
            new CrashTable(new Style(terminal.colour()), terminal.width()).lines(report).forEach(terminal::print);
            return report.kept() ? Failure.SUCCESS : Failure.FAILED;
        });
    }

    private void write(CrashReport report, Path file) throws IOException {
        ObjectNode node = Json.MAPPER.createObjectNode();
        node.put("kept", report.kept());
        node.set("options", Json.MAPPER.valueToTree(options));
        node.set("report", Json.MAPPER.valueToTree(report));
        Files.writeString(file, node.toPrettyString() + "\n");
    }
}
