package dev.toolfleet.bench.command;

import java.util.List;
import java.util.Locale;

import dev.toolfleet.bench.micro.MicroBenchmark;
import dev.toolfleet.bench.micro.MicroReport;
import dev.toolfleet.bench.micro.MicroRun;
import dev.toolfleet.cli.table.Grid;
import dev.toolfleet.cli.table.Style;
import dev.toolfleet.cli.terminal.Failure;
import dev.toolfleet.cli.terminal.Terminal;

/// `toolfleet bench micro`: measures single steps, and prints what each costs.
public final class MicroBench {
    private final List<MicroBenchmark> benchmarks;
    private final Terminal terminal;

    /// @param names of benchmarks; none for all
    /// @throws Failure (invalid) when there is none of that name
    public MicroBench(List<String> names, Terminal terminal) {
        benchmarks = names.isEmpty()
                ? MicroBenchmark.ALL
                : names.stream().distinct().map(MicroBench::named).toList();
        this.terminal = terminal;
    }

    /// Runs.
    ///
    /// @return the exit code
    /// @throws Failure when the run could not be done
    public int run() {
        try {
            MicroReport report = new MicroRun(terminal::note).run(benchmarks);
            lines(report, new Style(terminal.colour()), terminal.width()).forEach(terminal::print);
            return report.kept() ? Failure.SUCCESS : Failure.FAILED;
        } catch (IllegalStateException e) {
            throw Failure.failed("the run could not be done: " + e.getMessage(), e);
        }
    }

    static List<String> lines(MicroReport report, Style style, int width) {
        Grid grid = new Grid(width, "benchmark", "ns/op", "±", "at most", "", "one operation is");
        for (MicroReport.Row row : report.rows())
            grid.row(row.name(), number(row.nanos()), number(row.error()),
                    row.limitNanos() == 0 ? "" : number((double) row.limitNanos()),
                    row.limitNanos() == 0 ? "" : row.kept() ? "kept" : "BROKEN", row.what());
        return grid.lines(style);
    }

    private static String number(double nanos) {
        return Double.isNaN(nanos) ? "?" : String.format(Locale.ROOT, nanos < 100 ? "%,.1f" : "%,.0f", nanos);
    }

    private static MicroBenchmark named(String name) {
        return MicroBenchmark.named(name).orElseThrow(() -> Failure.invalid("there is no micro-benchmark '" + name
                + "'; there is: " + String.join(", ", MicroBenchmark.names())));
    }
}
