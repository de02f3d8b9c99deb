package dev.toolfleet.bench.command;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

import dev.toolfleet.bench.compare.ComparisonFindings;
import dev.toolfleet.cli.terminal.Failure;
import dev.toolfleet.cli.terminal.Terminal;

/// A comparing benchmark, such as `toolfleet bench drain`: runs, prints the table, and writes it where it was asked to.
public final class ComparisonBench {
    private final Output output;
    private final Terminal terminal;

    /// Destinations of the findings beside the terminal.
    ///
    /// @param command what was typed; the section in `report` has its name
    /// @param report gets the table as Markdown
    /// @param csv gets every measurement
    public record Output(String command, Optional<Path> report, Optional<Path> csv) {}

    /// Comparison to run.
    @FunctionalInterface
    public interface Comparison {
        /// Runs in an empty folder, and reports its progress.
        ComparisonFindings run(Path folder, Consumer<String> progress) throws IOException, InterruptedException;
    }

    public ComparisonBench(Output output, Terminal terminal) {
        this.output = output;
        this.terminal = terminal;
    }

    /// Runs.
    ///
    /// @return the exit code
    /// @throws Failure when the run could not be done
    public int run(Comparison comparison) {
        return BenchRun.run(terminal, folder -> {
            ComparisonFindings findings = comparison.run(folder, terminal::note);
            write(findings);
            return findings;
        }, ComparisonBench::lines, ComparisonFindings::kept);
    }

    private static List<String> lines(ComparisonFindings findings) {
        List<String> lines = new ArrayList<>(findings.summary().markdown());
        lines.add("");
        lines.addAll(findings.notes());
        return lines;
    }

    private void write(ComparisonFindings findings) throws IOException {
        if (output.csv().isPresent())
            Files.write(output.csv().get(), findings.measured().csv());
        if (output.report().isPresent()) {
            Path file = output.report().get();
            ReportSection section = new ReportSection(output.command(), Machine.here().text(),
                    LocalDate.now(ZoneOffset.UTC), findings);
            Files.write(file, section.in(Files.exists(file) ? Files.readAllLines(file) : List.of()));
        }
    }
}
