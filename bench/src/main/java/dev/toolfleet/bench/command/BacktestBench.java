package dev.toolfleet.bench.command;

import java.util.List;
import java.util.Locale;

import dev.toolfleet.bench.backtest.PastCallsReport;
import dev.toolfleet.bench.backtest.PastCallsRun;
import dev.toolfleet.bench.backtest.PastCallsRun.PastCallsOptions;
import dev.toolfleet.cli.terminal.Terminal;

/// `toolfleet bench backtest`: runs and prints how fast past calls are judged again.
final class BacktestBench {
    private BacktestBench() {}

    static int run(PastCallsOptions options, Terminal terminal) {
        return BenchRun.run(terminal, folder -> new PastCallsRun(options, folder, terminal::note).run(),
                BacktestBench::lines, PastCallsReport::kept);
    }

    static List<String> lines(PastCallsReport report) {
        double seconds = report.time().toNanos() / 1e9;
        return List.of(
                String.format(Locale.ROOT, "%,d calls were judged in %.1f s, %,.0f/s, with 512 MB of heap and %.1f s of"
                        + " processors (goal for 1,000,000: %d s).", report.judged(), seconds,
                        report.judged() / seconds, report.processor().toMillis() / 1e3,
                        PastCallsReport.MOST.toSeconds()),
                String.format(Locale.ROOT,
                        "denied %,d, asked %,d, denied in shadow %,d; the results of %,d were found.",
                        count(report, "denied"), count(report, "asked"), count(report, "would-deny"), report.joined()),
                report.isRight()
                        ? "Each count is right."
                        : "Not so: expected were " + report.calls() + " calls and " + report.expected() + ".");
    }

    private static long count(PastCallsReport report, String finding) {
        return report.found().getOrDefault(finding, 0L);
    }
}
