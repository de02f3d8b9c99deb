package dev.toolfleet.bench.command;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;

import dev.toolfleet.cli.fleet.LoggedRun;
import dev.toolfleet.cli.terminal.Failure;
import dev.toolfleet.cli.terminal.Terminal;

/// Skeleton of all benchmarks: options, a run in a folder of its own, a report, an exit code.
final class BenchRun {
    private BenchRun() {}

    /// Measurement of a benchmark.
    ///
    /// @param <R> its report
    @FunctionalInterface
    interface Measurement<R> {
        /// Runs in an empty folder.
        R in(Path folder) throws IOException, InterruptedException;
    }

    /// Makes options of values from a command line.
    ///
    /// @throws Failure (invalid) that names a value
    static <O> O options(Supplier<O> checked) {
        try {
            return checked.get();
        } catch (IllegalArgumentException e) {
            throw Failure.invalid(String.valueOf(e.getMessage()));
        }
    }

    /// Measures, and prints the report. The folder stays where a promise was broken, and when the run failed.
    ///
    /// @return the exit code
    /// @throws Failure when the run could not be done
    static <R> int run(Terminal terminal, Measurement<R> measurement, Function<R, List<String>> lines,
            Predicate<R> kept) {
        return LoggedRun.run(terminal, "the run could not be done", folder -> {
            R report = measurement.in(folder);
            terminal.print(lines.apply(report));
            return kept.test(report) ? Failure.SUCCESS : Failure.FAILED;
        });
    }
}
