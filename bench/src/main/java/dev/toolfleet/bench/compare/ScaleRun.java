package dev.toolfleet.bench.compare;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.function.Consumer;

import dev.toolfleet.bench.compare.DrainReport.Drained;
import dev.toolfleet.bench.compare.RateReport.Rated;
import dev.toolfleet.bench.fleet.ProcessorShare;

/// Measures the gain of more workers, and the cost of a rolling restart for callers. Used once, by one thread.
///
/// @param root an empty folder for all that the run writes
/// @param progress receives the run's progress, line by line
public record ScaleRun(ScaleOptions options, Path root, Consumer<String> progress) {
    /// Workers that are restarted, one after the other.
    private static final int RESTARTED = 2;

    /// Runs.
    ///
    /// @throws IllegalStateException when the run itself could not be done
    public ComparisonFindings run() throws IOException, InterruptedException {
        List<Entrant> fleets = options.workers().stream().map(count -> workers(count, options.share())).toList();
        DrainOptions drain = options.drain();
        RateOptions rate = new RateOptions(List.of(Arm.TOOLFLEET), drain.loads(), 1, options.restart(),
                drain.engines());
        List<Drained> drained;
        List<Rated> restarted = new ArrayList<>();
        try (Ground ground = Ground.start(root, progress)) {
            drained = new DrainRun(drain, root, progress).drain(ground, fleets);
            progress.accept("restarting two workers, one after the other ...");
            for (CallLoad load : drain.loads())
                restarted.add(new RateRun(rate, root, progress).one(ground,
                        workers(RESTARTED, OptionalDouble.empty()), load, 1, Engines::restartEach));
        }
        return findings(drained, restarted, fleets);
    }

    private Entrant workers(int count, OptionalDouble share) {
        return new Entrant(count == 1 ? "1 worker" : count + " workers", Arm.TOOLFLEET, count,
                Map.of("worker.maxInFlight", Integer.toString(options.maxInFlight())), share);
    }

    private ComparisonFindings findings(List<Drained> drained, List<Rated> restarted, List<Entrant> fleets) {
        List<List<String>> rows = new ArrayList<>();
        for (CallLoad load : options.drain().loads()) {
            double first = Medians.of(of(drained, load, fleets.getFirst()), Drained::perSecond)
                    / fleets.getFirst().processes();
            for (Entrant fleet : fleets)
                rows.add(row(load, fleet, first, of(drained, load, fleet)));
        }
        for (Rated each : restarted) {
            AnswerVerdict verdict = each.verdict();
            rows.add(List.of(each.load().name(), "2 workers, both restarted", Numbers.whole(each.perSecond()), "", "",
                    "", Numbers.hundredths(Rated.millis(each.all().at(100)) / 1e3),
                    Boolean.toString(verdict.clean())));
        }
        return new ComparisonFindings(
                new Table(List.of("load", "fleet", "results/s", "of one worker", "of linear", "µs/call",
                        "longest call s", "right"), rows),
                notes(), new DrainReport(options.drain()).findings(drained).measured(),
                drained.stream().allMatch(each -> each.verdict().clean())
                        && restarted.stream().allMatch(each -> each.verdict().clean()));
    }

    private List<String> notes() {
        DrainOptions drain = options.drain();
        List<String> notes = new ArrayList<>();
        notes.add(String.format(Locale.ROOT,
                "Scale: workers with worker.maxInFlight %,d. First drains as of `bench drain`, %,d calls, and %,d calls of"
                        + " warm-up for each worker, medians of %d; then %,d calls a second for %d s while one worker and"
                        + " then the other is stopped by SIGTERM and replaced when it has ended. The longest call goes"
                        + " from the instant at which it was due until its result was read: no instance stood still for"
                        + " longer.",
                options.maxInFlight(), drain.calls(), drain.warmUp(), drain.rounds(), options.restart().perSecond(),
                options.restart().measured().toSeconds()));
        options.share().ifPresent(share -> notes.add(String.format(Locale.ROOT,
                "Once a drain is warm, each of its workers may keep %.2f of a processor busy (a control group); the"
                        + " broker and the reader have no bound.",
                share)));
        return notes;
    }

    private static List<String> row(CallLoad load, Entrant fleet, double first, List<Drained> runs) {
        double rate = Medians.of(runs, Drained::perSecond);
        double times = first == 0 ? 0 : rate / first;
        return List.of(load.name(), fleet.name(), Numbers.whole(rate), String.format(Locale.ROOT, "%.2f×", times),
                Numbers.hundredths(times / fleet.processes()),
                Numbers.whole(Medians.of(runs, each -> each.use().engineMicros())), "",
                Boolean.toString(runs.stream().allMatch(each -> each.verdict().clean())));
    }

    private static List<Drained> of(List<Drained> drained, CallLoad load, Entrant entrant) {
        return drained.stream().filter(each -> each.load().equals(load) && each.entrant().equals(entrant)).toList();
    }

    /// Options of a look at more workers.
    ///
    /// @param drain of each fleet, whose `arms` do not count
    /// @param workers how many each fleet has; the first is the measure of the others
    /// @param share of a processor for each worker; empty for no bound
    /// @param restart while which two workers are restarted, one after the other
    /// @param maxInFlight of each worker
    public record ScaleOptions(DrainOptions drain, List<Integer> workers, OptionalDouble share,
            RateOptions.Schedule restart, int maxInFlight) {
        private static final int MOST_WORKERS = 12;

        /// Checks the values.
        ///
        /// @throws IllegalArgumentException naming one
        public ScaleOptions {
            workers = workers.stream().distinct().toList();
            if (workers.isEmpty() || workers.stream().anyMatch(count -> count < 1 || count > MOST_WORKERS)) {
                throw new IllegalArgumentException("workers is " + workers + "; each must be 1 to " + MOST_WORKERS
                        + ", one for each partition at most");
            }
            share.ifPresent(ProcessorShare::checkShare);
            if (maxInFlight < 1)
                throw new IllegalArgumentException("max-in-flight is " + maxInFlight + "; it must be at least 1");
        }
    }
}
