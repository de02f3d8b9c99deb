package dev.toolfleet.bench.compare;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;

import dev.toolfleet.bench.compare.DrainReport.Drained;
import dev.toolfleet.bench.compare.RateReport.Rated;

/// Measures the gain of a second worker, and the cost of a rolling restart for callers. Used once, by one thread.
///
/// @param root an empty folder for all that the run writes
/// @param progress receives the run's progress, line by line
public record ScaleRun(ScaleOptions options, Path root, Consumer<String> progress) {
    /// Runs.
    ///
    /// @throws IllegalStateException when the run itself could not be done
    public ComparisonFindings run() throws IOException, InterruptedException {
        Entrant one = workers(1);
        Entrant two = workers(2);
        DrainOptions drain = options.drain();
        RateOptions rate = new RateOptions(List.of(Arm.TOOLFLEET), drain.loads(), 1, options.restart(),
                drain.engines());
        List<Drained> drained;
        List<Rated> restarted = new ArrayList<>();
        try (Ground ground = Ground.start(root, progress)) {
            drained = new DrainRun(drain, root, progress).drain(ground, List.of(one, two));
            progress.accept("restarting two workers, one after the other ...");
            for (CallLoad load : drain.loads())
                restarted.add(new RateRun(rate, root, progress).one(ground, two, load, 1, Engines::restartEach));
        }
        return findings(drained, restarted, one, two);
    }

    private Entrant workers(int count) {
        return new Entrant(count == 1 ? "1 worker" : count + " workers", Arm.TOOLFLEET, count,
                Map.of("worker.maxInFlight", Integer.toString(options.maxInFlight())));
    }

    private ComparisonFindings findings(List<Drained> drained, List<Rated> restarted, Entrant one, Entrant two) {
        List<List<String>> rows = new ArrayList<>();
        for (CallLoad load : options.drain().loads()) {
            double base = Medians.of(of(drained, load, one), Drained::perSecond);
            double both = Medians.of(of(drained, load, two), Drained::perSecond);
            rows.add(row(load, one.name(), Numbers.whole(base), "", "", of(drained, load, one)));
            rows.add(row(load, two.name(), Numbers.whole(both),
                    base == 0 ? "" : String.format(Locale.ROOT, "%.2f×", both / base), "", of(drained, load, two)));
        }
        for (Rated each : restarted) {
            AnswerVerdict verdict = each.verdict();
            rows.add(List.of(each.load().name(), "2 workers, both restarted", Numbers.whole(each.perSecond()), "",
                    Numbers.hundredths(Rated.millis(each.all().at(100)) / 1e3), Boolean.toString(verdict.clean())));
        }
        DrainOptions drain = options.drain();
        List<String> notes = List.of(String.format(Locale.ROOT,
                "Scale: workers with worker.maxInFlight %,d. First drains as of `bench drain`, %,d calls, medians of %d;"
                        + " then %,d calls a second for %d s while one worker and then the other is stopped by SIGTERM"
                        + " and replaced when it has ended. The longest call goes from the instant at which it was due"
                        + " until its result was read: no instance stood still for longer.",
                options.maxInFlight(), drain.all(), drain.rounds(), options.restart().perSecond(),
                options.restart().measured().toSeconds()));
        Table measured = new DrainReport(drain).findings(drained).measured();
        return new ComparisonFindings(
                new Table(List.of("load", "fleet", "results/s", "of one worker", "longest call s", "right"), rows),
                notes,
                measured, drained.stream().allMatch(each -> each.verdict().clean())
                        && restarted.stream().allMatch(each -> each.verdict().clean()));
    }

    private static List<String> row(CallLoad load, String name, String rate, String times, String longest,
            List<Drained> runs) {
        return List.of(load.name(), name, rate, times, longest,
                Boolean.toString(runs.stream().allMatch(each -> each.verdict().clean())));
    }

    private static List<Drained> of(List<Drained> drained, CallLoad load, Entrant entrant) {
        return drained.stream().filter(each -> each.load().equals(load) && each.entrant().equals(entrant)).toList();
    }

    /// Options of a look at a second worker.
    ///
    /// @param drain of one worker and of two, whose `arms` do not count
    /// @param restart while which two workers are restarted, one after the other
    /// @param maxInFlight of each worker
    public record ScaleOptions(DrainOptions drain, RateOptions.Schedule restart, int maxInFlight) {
        /// Checks the values.
        ///
        /// @throws IllegalArgumentException naming one
        public ScaleOptions {
            if (maxInFlight < 1)
                throw new IllegalArgumentException("max-in-flight is " + maxInFlight + "; it must be at least 1");
        }
    }
}
