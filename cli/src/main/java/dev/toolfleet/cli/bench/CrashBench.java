package dev.toolfleet.cli.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

import dev.toolfleet.bench.crash.CrashOptions;
import dev.toolfleet.bench.crash.CrashRun;
import dev.toolfleet.bench.verdict.CrashReport;
import dev.toolfleet.cli.fleet.TempFolder;
import dev.toolfleet.cli.table.Style;
import dev.toolfleet.cli.terminal.Failure;
import dev.toolfleet.cli.terminal.StopSignal;
import dev.toolfleet.cli.terminal.Terminal;
import dev.toolfleet.json.Json;
import tools.jackson.databind.node.ObjectNode;

/// `toolfleet bench crash`: runs, prints the report, and keeps what the run wrote when it did not end well.
public final class CrashBench {
    private static final Duration STOP_PATIENCE = Duration.ofSeconds(30);

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
        TempFolder folder = TempFolder.create();
        terminal.note("toolfleet: seed " + options.seed() + ", " + options.duration().toSeconds() + " s, "
                + options.callsPerSecond() + " calls a second, data in " + folder.path());
        // A signal's patience ends with the resource, so that what follows an interrupt belongs inside.
        try (StopSignal _ = StopSignal.install(STOP_PATIENCE)) {
            return run(folder);
        }
    }

    private int run(TempFolder folder) {
        try {
            CrashReport report = new CrashRun(options, folder.path(), terminal::note).run();
            write(report, folder.path().resolve("report.json"));
            if (json.isPresent())
                write(report, json.get());
            new CrashTable(new Style(terminal.colour()), terminal.width()).lines(report).forEach(terminal::print);
            if (!report.kept()) {
                terminal.note("toolfleet: the run's data, logs and effect files are in " + folder.path());
                return Failure.FAILED;
            }
            folder.close();
            return Failure.SUCCESS;
        } catch (InterruptedException e) {
            folder.close();
            throw Failure.failed("interrupted; everything that was started has ended", e);
        } catch (IOException | RuntimeException e) {
            throw Failure.failed("the run could not be done: " + e.getMessage() + "; its data and logs are in "
                    + folder.path(), e);
        }
    }

    private void write(CrashReport report, Path file) throws IOException {
        ObjectNode node = Json.MAPPER.createObjectNode();
        node.put("kept", report.kept());
        node.set("options", Json.MAPPER.valueToTree(options));
        node.set("report", Json.MAPPER.valueToTree(report));
        Files.writeString(file, node.toPrettyString() + "\n");
    }
}
