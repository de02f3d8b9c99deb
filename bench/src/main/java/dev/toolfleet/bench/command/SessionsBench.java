package dev.toolfleet.bench.command;

import java.util.List;
import java.util.Locale;

import dev.toolfleet.bench.sessions.SessionsReport;
import dev.toolfleet.bench.sessions.SessionsRun;
import dev.toolfleet.bench.sessions.SessionsRun.SessionsOptions;
import dev.toolfleet.cli.terminal.Terminal;

/// `toolfleet bench sessions`: runs and prints how fast the session service is, beside a worker.
final class SessionsBench {
    private SessionsBench() {}

    static int run(SessionsOptions options, Terminal terminal) {
        return BenchRun.run(terminal, folder -> new SessionsRun(options, folder, terminal::note).run(),
                SessionsBench::lines, SessionsReport::kept);
    }

    static List<String> lines(SessionsReport report) {
        return List.of(
                String.format(Locale.ROOT, "drain      worker %,.0f results/s, session service %,.0f messages/s: %.2f"
                        + " of it (goal: %.1f); read back and applied at %,.0f/s: %.2f",
                        report.workerPerSecond(), report.servicePerSecond(), report.share(), SessionsReport.SHARE,
                        report.appliedPerSecond(), report.appliedPerSecond() / report.workerPerSecond()),
                String.format(Locale.ROOT, "latency    p50 %d ms, p99 %d ms from result to message at %d/s, of %,d"
                        + " results (goal at 500/s: %d ms)", report.p50().toMillis(), report.p99().toMillis(),
                        report.rate(), report.measured(), SessionsReport.LATENCY.toMillis()),
                String.format(Locale.ROOT, "restore    %.1f s for %,d messages of %,d instances (goal for 1,000,000:"
                        + " %d s)", report.restore().toMillis() / 1e3, report.restoredMessages(),
                        report.restoredInstances(), SessionsReport.RESTORE.toSeconds()),
                report.missing() == 0
                        ? "Every result has its message."
                        : "Not so: " + report.missing() + " results have no message.");
    }
}
