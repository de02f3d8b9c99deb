package dev.toolfleet.bench.command;

import java.util.List;
import java.util.Locale;

import dev.toolfleet.bench.pending.PendingReport;
import dev.toolfleet.bench.pending.PendingRun;
import dev.toolfleet.bench.pending.PendingRun.PendingOptions;
import dev.toolfleet.cli.table.DurationText;
import dev.toolfleet.cli.terminal.Terminal;

/// `toolfleet bench pending`: runs and prints what pending calls took of their worker, and how they ended.
final class PendingBench {
    private PendingBench() {}

    static int run(PendingOptions options, Terminal terminal) {
        return BenchRun.run(terminal, folder -> new PendingRun(options, folder, terminal::note).run(),
                PendingBench::lines, PendingReport::kept);
    }

    static List<String> lines(PendingReport report) {
        PendingReport.Ends ends = report.ends();
        int added = report.full().threads().size() - report.idle().threads().size();
        return List.of(
                String.format(Locale.ROOT, "%,d calls were pending at a time, after %s.", report.handles(),
                        DurationText.text(report.times().toPending())),
                String.format(Locale.ROOT,
                        "heap           %.1f MB live before, %.1f MB with them: %+.1f MB (at most %.0f)",
                        report.idle().liveBytes() / 1e6, report.full().liveBytes() / 1e6, report.grownBytes() / 1e6,
                        report.allowedBytes() / 1e6),
                String.format(Locale.ROOT, "threads        %d before, %d with them: %+d (at most 0)%s",
                        report.idle().threads().size(), report.full().threads().size(), added,
                        added > 0 ? ", " + String.join(", ", report.addedThreads()) : ""),
                String.format(Locale.ROOT, "progress       was heard of each within %s",
                        DurationText.text(report.times().toHeard())),
                String.format(Locale.ROOT,
                        "final results  %,d calls have one, %,d more than one, %,d none; %,d failed; %s",
                        ends.ended(), ends.twice(), report.handles() - ends.ended(), ends.failed(),
                        DurationText.text(report.times().toEnded())),
                report.kept() ? "Every promise was kept." : "Promises were broken.");
    }
}
