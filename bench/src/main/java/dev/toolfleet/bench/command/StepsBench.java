package dev.toolfleet.bench.command;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;
import java.util.stream.Collectors;

import dev.toolfleet.bench.steps.StepsReport;
import dev.toolfleet.bench.steps.StepsReport.Latency;
import dev.toolfleet.bench.steps.StepsReport.Phase;
import dev.toolfleet.bench.steps.StepsRun;
import dev.toolfleet.bench.steps.StepsRun.StepsOptions;
import dev.toolfleet.cli.terminal.Terminal;

/// `toolfleet bench steps`: runs and prints how soon steps were answered, and what that cost.
final class StepsBench {
    private StepsBench() {}

    static int run(StepsOptions options, Terminal terminal) {
        return BenchRun.run(terminal, folder -> new StepsRun(options, folder, terminal::note).run(), StepsBench::lines,
                StepsReport::kept);
    }

    static List<String> lines(StepsReport report) {
        List<String> lines = new ArrayList<>();
        lines.add("      rate     p50     p95     p99     max  bytes/step  marks/s  service   broker  contents  with");
        report.phases().forEach(phase -> lines.add(line(phase)));
        for (Phase phase : report.phases()) {
            if (phase.answered() < phase.sent()) {
                lines.add(String.format(Locale.ROOT, "Of %,d steps, %,d were not answered.", phase.sent(),
                        phase.sent() - phase.answered()));
            }
        }
        lines.add(report.kept()
                ? "Every step was answered, 99 of 100 soon enough."
                : "Not so: every step was to be answered, and 99 of 100 within " + StepsReport.GOAL.toMillis()
                        + " ms.");
        return lines;
    }

    private static String settings(Phase phase) {
        return phase.settings().isEmpty()
                ? "the service's own settings"
                : new TreeMap<>(phase.settings()).entrySet().stream().map(Object::toString)
                        .collect(Collectors.joining(" "));
    }

    private static String line(Phase phase) {
        Latency latency = phase.latency();
        return String.format(Locale.ROOT,
                "%8.0f/s %4d ms %4d ms %4d ms %4d ms  %10.0f  %7.0f  %5.2f c  %5.2f c  %8d  %s",
                phase.rate(), latency.p50().toMillis(), latency.p95().toMillis(),
                latency.p99().toMillis(), latency.max().toMillis(), phase.cost().bytesPerStep(),
                phase.cost().marksPerSecond(), phase.cost().serviceCores(), phase.cost().brokerCores(),
                phase.cost().contents(), settings(phase));
    }
}
