package dev.toolfleet.bench.command;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

import dev.toolfleet.bench.memory.MemoryReport;
import dev.toolfleet.bench.memory.MemoryRun;
import dev.toolfleet.bench.memory.MemoryRun.MemoryOptions;
import dev.toolfleet.cli.terminal.Terminal;

/// `toolfleet bench memory`: runs and prints what lived on the heap, and when.
final class MemoryBench {
    private MemoryBench() {}

    static int run(MemoryOptions options, Terminal terminal) {
        return BenchRun.run(terminal, folder -> new MemoryRun(options, folder, terminal::note).run(),
                MemoryBench::lines, MemoryReport::kept);
    }

    private static List<String> lines(MemoryReport report) {
        List<String> lines = new ArrayList<>();
        lines.add(String.format(Locale.ROOT, "%12s  %s", "calls", "live heap after a collection"));
        lines.add(line(report.idle()));
        report.samples().forEach(sample -> lines.add(line(sample)));
        lines.add("");
        lines.add(String.format(Locale.ROOT, "Each call left %.2f bytes behind, once the worker was warm. %s",
                report.bytesPerCall(), report.kept() ? "Nothing grows." : "The heap grows with the calls."));
        return lines;
    }

    private static String line(MemoryReport.Sample sample) {
        return String.format(Locale.ROOT, "%,12d  %.1f MB", sample.calls(), sample.liveBytes() / 1e6);
    }
}
