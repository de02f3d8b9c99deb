package dev.toolfleet.bench.compare;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

import dev.toolfleet.bench.timing.Latencies;

/// Report of steady rates. Pure.
final class RateReport {
    private final RateOptions options;

    RateReport(RateOptions options) {
        this.options = options;
    }

    ComparisonFindings findings(List<Rated> rated) {
        return new ComparisonFindings(summary(rated), notes(rated), measured(rated),
                rated.stream().allMatch(each -> each.verdict().clean()));
    }

    private Table summary(List<Rated> rated) {
        List<List<String>> rows = new ArrayList<>();
        for (CallLoad load : options.loads()) {
            List<Rated> ofLoad = rated.stream().filter(each -> each.load().equals(load)).toList();
            for (Entrant entrant : ofLoad.stream().map(Rated::entrant).distinct().toList())
                rows.add(row(load, entrant,
                        ofLoad.stream().filter(each -> each.entrant().equals(entrant)).toList()));
        }
        return new Table(List.of("load", "engine", "results/s", "p50 ms", "p95 ms", "p99 ms", "p99.9 ms", "max ms",
                "p99 of the hottest", "p99 of the cold", "most open", "engine cores", "missing", "twice",
                "disordered", "wrong"), rows);
    }

    private static List<String> row(CallLoad load, Entrant entrant, List<Rated> runs) {
        return List.of(load.name(), entrant.name(), Numbers.whole(Medians.of(runs, Rated::perSecond)),
                at(runs, Rated::all, 50), at(runs, Rated::all, 95), at(runs, Rated::all, 99),
                at(runs, Rated::all, 99.9), at(runs, Rated::all, 100), at(runs, Rated::hottest, 99),
                at(runs, Rated::cold, 99), Numbers.whole(Medians.of(runs, Rated::mostOpen)),
                Numbers.hundredths(Medians.of(runs, Rated::engineCores)),
                sum(runs, each -> each.verdict().missing()), sum(runs, each -> each.verdict().duplicates()),
                sum(runs, each -> each.verdict().disordered()), sum(runs, each -> each.verdict().wrong()));
    }

    private static String at(List<Rated> runs, Function<Rated, Latencies> of, double percent) {
        List<Rated> with = runs.stream().filter(each -> of.apply(each).count() > 0).toList();
        return with.isEmpty()
                ? ""
                : Numbers.tenths(Medians.of(with, each -> Rated.millis(of.apply(each).at(percent))));
    }

    private List<String> notes(List<Rated> rated) {
        RateOptions.Schedule schedule = options.schedule();
        List<String> notes = new ArrayList<>();
        notes.add(String.format(Locale.ROOT,
                "Rate: %,d calls a second, evenly, for %d s after %d s of warm-up; times go from the instant at which a"
                        + " call was due until its result was read under read_committed. Medians of %d.",
                schedule.perSecond(), schedule.measured().toSeconds(), schedule.warmUp().toSeconds(),
                options.rounds()));
        for (CallLoad load : options.loads())
            notes.add(bounds(load));
        notes.add("The cold are all instances but the " + Rated.BUSIEST + " busiest.");
        rated.stream().map(Rated::entrant).distinct()
                .forEach(entrant -> notes.add(entrant.name() + ": " + entrant.arm().what() + "."));
        return notes;
    }

    private String bounds(CallLoad load) {
        Duration work = load.work();
        double hottest = options.schedule().perSecond() * load.keys().hottest() * work.toNanos() / 1e9;
        return load.name() + ": " + (work.isZero()
                ? "order by instance sets no bound"
                : String.format(Locale.ROOT,
                        "order by instance allows %,.0f results/s; the busiest instance gets %.2f %% of the calls, which"
                                + " is %.0f %% of what it can take; %,.0f calls are at work at a time",
                        load.orderBound(), 100 * load.keys().hottest(), 100 * hottest,
                        options.schedule().perSecond() * work.toNanos() / 1e9))
                + "; cpc may work on " + options.engines().concurrencyFor(load) + " calls at a time.";
    }

    private static Table measured(List<Rated> rated) {
        return new Table(List.of("load", "engine", "round", "results_per_second", "p50_ms", "p95_ms", "p99_ms",
                "p999_ms", "max_ms", "hottest_p99_ms", "cold_p99_ms", "most_open", "engine_cores", "load_average",
                "missing", "duplicates", "disordered", "wrong"), rated.stream().map(RateReport::line).toList());
    }

    private static List<String> line(Rated each) {
        return List.of(each.load().name(), each.entrant().name(), Integer.toString(each.round()),
                Numbers.plain(each.perSecond()), millis(each.all(), 50), millis(each.all(), 95), millis(each.all(), 99),
                millis(each.all(), 99.9), millis(each.all(), 100), millis(each.hottest(), 99), millis(each.cold(), 99),
                Integer.toString(each.mostOpen()), Numbers.plain(each.engineCores()),
                Numbers.plain(each.loadAverage()), Integer.toString(each.verdict().missing()),
                Integer.toString(each.verdict().duplicates()), Integer.toString(each.verdict().disordered()),
                Integer.toString(each.verdict().wrong()));
    }

    private static String millis(Latencies latencies, double percent) {
        return latencies.count() == 0 ? "" : Numbers.plain(Rated.millis(latencies.at(percent)));
    }

    private static String sum(List<Rated> runs, ToDoubleFunction<Rated> value) {
        return Numbers.whole(runs.stream().mapToDouble(value).sum());
    }

    /// Answers of one entrant at a steady rate.
    ///
    /// @param perSecond results a second while calls counted
    /// @param all of all calls that count
    /// @param hottest of those to the busiest instance
    /// @param cold of those to instances that are not among the [#BUSIEST] busiest
    /// @param mostOpen calls that were open at a time, at most
    /// @param engineCores processors that the engine kept busy
    /// @param loadAverage of the machine at the end
    record Rated(Entrant entrant, CallLoad load, int round, double perSecond, Latencies all, Latencies hottest,
            Latencies cold, int mostOpen, double engineCores, double loadAverage, AnswerVerdict verdict) {

        /// Number of instances that take most of the calls of a skewed mix; in another mix any instances serve.
        static final int BUSIEST = 10;

        static Rated of(Entrant entrant, CallLoad load, int round, TimedCalls calls, double engineCores,
                double loadAverage,
                AnswerVerdict verdict) {
            return new Rated(entrant, load, round, calls.perSecond(), calls.latencies(key -> true),
                    calls.latencies(key -> key == 0), calls.latencies(key -> key >= BUSIEST), calls.mostOpen(),
                    engineCores, loadAverage, verdict);
        }

        static double millis(Duration duration) {
            return duration.toNanos() / 1e6;
        }
    }
}
