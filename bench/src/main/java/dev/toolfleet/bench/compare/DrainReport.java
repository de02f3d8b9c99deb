package dev.toolfleet.bench.compare;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/// Report of drains. Pure.
final class DrainReport {
    private final DrainOptions options;

    DrainReport(DrainOptions options) {
        this.options = options;
    }

    ComparisonFindings findings(List<Drained> drained) {
        return new ComparisonFindings(summary(drained), notes(drained), measured(drained),
                drained.stream().allMatch(each -> each.verdict().clean()));
    }

    private Table summary(List<Drained> drained) {
        List<List<String>> rows = new ArrayList<>();
        for (CallLoad load : options.loads()) {
            List<Drained> ofLoad = drained.stream().filter(each -> each.load().equals(load)).toList();
            if (ofLoad.isEmpty())
                continue;
            Entrant first = ofLoad.getFirst().entrant();
            double base = Medians.of(of(ofLoad, first), Drained::perSecond);
            for (Entrant entrant : ofLoad.stream().map(Drained::entrant).distinct().toList())
                rows.add(row(load, entrant, of(ofLoad, entrant), base));
        }
        return new Table(List.of("load", "engine", "results/s", "lowest to highest", "first ÷ this", "of keys/work",
                "busy calls", "engine µs/call", "engine cores", "broker cores", "missing", "twice", "disordered",
                "wrong"), rows);
    }

    private static List<Drained> of(List<Drained> drained, Entrant entrant) {
        return drained.stream().filter(each -> each.entrant().equals(entrant)).toList();
    }

    private static List<String> row(CallLoad load, Entrant entrant, List<Drained> runs, double base) {
        double median = Medians.of(runs, Drained::perSecond);
        double bound = load.orderBound();
        return List.of(load.name(), entrant.name(), Numbers.whole(median),
                Numbers.whole(runs.stream().mapToDouble(Drained::perSecond).min().orElse(0)) + " to "
                        + Numbers.whole(runs.stream().mapToDouble(Drained::perSecond).max().orElse(0)),
                median == 0 ? "" : String.format(Locale.ROOT, "%.2f×", base / median),
                Double.isInfinite(bound) ? "" : String.format(Locale.ROOT, "%.1f %%", 100 * median / bound),
                Double.isInfinite(bound) ? "" : Numbers.whole(median * load.work().toNanos() / 1e9),
                Numbers.whole(Medians.of(runs, each -> each.use().engineMicros())),
                Numbers.hundredths(Medians.of(runs, each -> each.use().engineCores())),
                Numbers.hundredths(Medians.of(runs, each -> each.use().brokerCores())),
                sum(runs, each -> each.verdict().missing()), sum(runs, each -> each.verdict().duplicates()),
                sum(runs, each -> each.verdict().disordered()), sum(runs, each -> each.verdict().wrong()));
    }

    private List<String> notes(List<Drained> drained) {
        List<String> notes = new ArrayList<>();
        notes.add(String.format(Locale.ROOT,
                "Drain: %,d calls stood on the topic before the engine started; the clock ran from result %,d to"
                        + " result %,d. Medians of %d.",
                options.all(), options.from(), options.to(), options.rounds()));
        for (CallLoad load : options.loads())
            notes.add(bounds(load));
        drained.stream().map(Drained::entrant).distinct()
                .forEach(entrant -> notes.add(entrant.name() + ": " + entrant.arm().what() + "."));
        return notes;
    }

    private String bounds(CallLoad load) {
        StringBuilder note = new StringBuilder(load.name()).append(": ");
        if (load.work().isZero()) {
            note.append("order by instance sets no bound");
        } else {
            note.append(String.format(Locale.ROOT,
                    "order by instance allows %s results/s (keys/work, %.2f %% of the calls go to the busiest instance);"
                            + " a loop of one thread would do %s/s and is not run",
                    Numbers.whole(load.orderBound()), 100 * load.keys().hottest(),
                    Numbers.whole(1e9 / load.work().toNanos())));
        }
        return note.append("; cpc may work on ").append(options.engines().concurrencyFor(load))
                .append(" calls at a time.").toString();
    }

    private static Table measured(List<Drained> drained) {
        return new Table(List.of("load", "engine", "round", "results_per_second", "whole_ms",
                "engine_cores", "broker_cores", "load_average", "missing", "duplicates", "disordered", "wrong"),
                drained.stream().map(each -> List.of(each.load().name(), each.entrant().name(),
                        Integer.toString(each.round()), Numbers.plain(each.perSecond()),
                        Long.toString(each.whole().toMillis()),
                        Numbers.plain(each.use().engineCores()),
                        Numbers.plain(each.use().brokerCores()),
                        Numbers.plain(each.loadAverage()),
                        Integer.toString(each.verdict().missing()), Integer.toString(each.verdict().duplicates()),
                        Integer.toString(each.verdict().disordered()), Integer.toString(each.verdict().wrong())))
                        .toList());
    }

    /// The use of the machine in each second of each drain, for other programs.
    static Table seconds(List<Drained> drained) {
        List<List<String>> rows = new ArrayList<>();
        for (Drained each : drained) {
            for (DrainClock.Second second : each.use().seconds())
                rows.add(List.of(each.load().name(), each.entrant().name(), Integer.toString(each.round()),
                        Long.toString(second.at()), Numbers.plain(second.perSecond()),
                        Numbers.plain(second.engineCores()), Numbers.plain(second.brokerCores()),
                        Numbers.plain(second.othersCores()), Numbers.plain(second.stolenCores())));
        }
        return new Table(List.of("load", "engine", "round", "at_ms", "results_per_second", "engine_cores",
                "broker_cores", "others_cores", "stolen_cores"), rows);
    }

    private static String sum(List<Drained> runs, ToDoubleFunction<Drained> value) {
        return Numbers.whole(runs.stream().mapToDouble(value).sum());
    }

    /// Drain of a log of calls by one entrant.
    ///
    /// @param perSecond results a second between the two marks of [DrainOptions]
    /// @param whole from the first result to the last
    /// @param use what it took of the machine between the marks
    /// @param loadAverage of the machine when the clock stopped
    record Drained(Entrant entrant, CallLoad load, int round, double perSecond, Duration whole, DrainClock.Use use,
            double loadAverage, AnswerVerdict verdict) {}
}
