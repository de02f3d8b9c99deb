package dev.toolfleet.bench.command;

import java.io.IOException;
import java.time.Duration;
import java.util.Locale;

import dev.toolfleet.bench.memory.MemoryOptions;
import dev.toolfleet.bench.memory.MemoryReport;
import dev.toolfleet.bench.memory.MemoryRun;
import dev.toolfleet.cli.fleet.TempFolder;
import dev.toolfleet.cli.terminal.Failure;
import dev.toolfleet.cli.terminal.StopSignal;
import dev.toolfleet.cli.terminal.Terminal;

/// `toolfleet bench memory`: runs and prints what lived on the heap, and when.
public final class MemoryBench {
    private static final Duration STOP_PATIENCE = Duration.ofSeconds(30);

    private final MemoryOptions options;
    private final Terminal terminal;

    /// A run with these options.
    public MemoryBench(MemoryOptions options, Terminal terminal) {
        this.options = options;
        this.terminal = terminal;
    }

    /// Runs.
    ///
    /// @return the exit code
    /// @throws Failure when the run could not be done
    public int run() {
        try (TempFolder folder = TempFolder.create(); StopSignal _ = StopSignal.install(STOP_PATIENCE)) {
            MemoryReport report = new MemoryRun(options, folder.path(), terminal::note).run();
            terminal.print(String.format(Locale.ROOT, "%12s  %s", "calls", "live heap after a collection"));
            terminal.print(line(report.idle()));
            report.samples().forEach(sample -> terminal.print(line(sample)));
            terminal.print(String.format(Locale.ROOT,
                    "%nEach call left %.2f bytes behind, once the worker was warm. %s",
                    report.bytesPerCall(), report.kept() ? "Nothing grows." : "The heap grows with the calls."));
            return report.kept() ? Failure.SUCCESS : Failure.FAILED;
        } catch (InterruptedException e) {
            throw Failure.failed("interrupted; everything that was started has ended", e);
        } catch (IOException | IllegalStateException e) {
            throw Failure.failed("the run could not be done: " + e.getMessage(), e);
        }
    }

    private static String line(MemoryReport.Sample sample) {
        return String.format(Locale.ROOT, "%,12d  %.1f MB", sample.calls(), sample.liveBytes() / 1e6);
    }
}
