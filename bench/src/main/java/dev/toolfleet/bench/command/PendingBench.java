package dev.toolfleet.bench.command;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

import dev.toolfleet.bench.pending.PendingOptions;
import dev.toolfleet.bench.pending.PendingReport;
import dev.toolfleet.bench.pending.PendingRun;
import dev.toolfleet.cli.fleet.TempFolder;
import dev.toolfleet.cli.table.DurationText;
import dev.toolfleet.cli.terminal.Failure;
import dev.toolfleet.cli.terminal.StopSignal;
import dev.toolfleet.cli.terminal.Terminal;

/// `toolfleet bench pending`: runs and prints what pending calls took of their worker, and how they ended.
public final class PendingBench {
    private static final Duration STOP_PATIENCE = Duration.ofSeconds(30);

    private final PendingOptions options;
    private final Terminal terminal;

    /// A run with these options.
    public PendingBench(PendingOptions options, Terminal terminal) {
        this.options = options;
        this.terminal = terminal;
    }

    /// Runs.
    ///
    /// @return the exit code
    /// @throws Failure when the run could not be done
    public int run() {
        try (TempFolder folder = TempFolder.create(); StopSignal _ = StopSignal.install(STOP_PATIENCE)) {
            PendingReport report = new PendingRun(options, folder.path(), terminal::note).run();
            lines(report).forEach(terminal::print);
            return report.kept() ? Failure.SUCCESS : Failure.FAILED;
        } catch (InterruptedException e) {
            throw Failure.failed("interrupted; everything that was started has ended", e);
        } catch (IOException | IllegalStateException e) {
            throw Failure.failed("the run could not be done: " + e.getMessage(), e);
        }
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
