package dev.toolfleet.bench.command;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

import dev.toolfleet.bench.crash.CrashOptions;
import dev.toolfleet.bench.crash.CrashRun;
import dev.toolfleet.bench.verdict.CrashReport;
import dev.toolfleet.cli.table.Style;
import dev.toolfleet.cli.terminal.Terminal;
import dev.toolfleet.json.Json;
import tools.jackson.databind.node.ObjectNode;

/// `toolfleet bench crash`: runs, prints the report, and keeps what the run wrote when it did not end well.
final class CrashBench {
    private CrashBench() {}

    /// @param json gets the report beside the terminal
    static int run(CrashOptions options, Optional<Path> json, Terminal terminal) {
        return BenchRun.run(terminal, folder -> {
            terminal.note("toolfleet: seed " + options.seed() + ", " + options.duration().toSeconds() + " s, "
                    + options.callsPerSecond() + " calls a second, data in " + folder);
            CrashReport report = new CrashRun(options, folder, terminal::note).run();
            write(options, report, folder.resolve("report.json"));
            if (json.isPresent())
                write(options, report, json.get());
            return report;
        }, new CrashTable(new Style(terminal.colour()), terminal.width())::lines, CrashReport::kept);
    }

    private static void write(CrashOptions options, CrashReport report, Path file) throws IOException {
        ObjectNode node = Json.MAPPER.createObjectNode();
        node.put("kept", report.kept());
        node.set("options", Json.MAPPER.valueToTree(options));
        node.set("report", Json.MAPPER.valueToTree(report));
        Files.writeString(file, node.toPrettyString() + "\n");
    }
}
