package dev.toolfleet.bench.compare;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

import dev.toolfleet.bench.compare.RateReport.Rated;
import dev.toolfleet.bench.fleet.ProcessUse;

/// A steady rate: calls come evenly, whatever the engine does, and what is measured is how long their results take.
/// Used once, by one thread.
///
/// @param root an empty folder for all that the run writes
/// @param progress receives the run's progress, line by line
public record RateRun(RateOptions options, Path root, Consumer<String> progress) {
    /// Runs.
    ///
    /// @throws IllegalStateException when the run itself could not be done
    public ComparisonFindings run() throws IOException, InterruptedException {
        List<Entrant> entrants = options.arms().stream().map(Entrant::of).toList();
        try (Ground ground = Ground.start(root, progress)) {
            return new RateReport(options).findings(Turns.take(entrants, options.loads(), options.rounds(),
                    (entrant, load, round) -> one(ground, entrant, load, round, engines -> {})));
        }
    }

    /// Disturbance of the engines while calls count.
    interface Disturbance {
        void to(Engines engines) throws InterruptedException;
    }

    Rated one(Ground ground, Entrant entrant, CallLoad load, int round, Disturbance disturbance)
            throws IOException, InterruptedException {
        try (Ground.Place place = ground.place(entrant.arm())) {
            if (entrant.arm().isFleet())
                new TopicPreparation(place).fleet(load.keys(), entrant.arm().code());
            Rated rated = measure(place, entrant, load, round, disturbance);
            progress.accept(String.format(Locale.ROOT, "round %d, %s, %s: p50 %.1f ms, p99 %.1f ms%s", round,
                    load.name(), entrant.name(), Rated.millis(rated.all().at(50)), Rated.millis(rated.all().at(99)),
                    rated.verdict().clean() ? "" : "; " + rated.verdict()));
            return rated;
        }
    }

    private Rated measure(Ground.Place place, Entrant entrant, CallLoad load, int round, Disturbance disturbance)
            throws InterruptedException {
        try (Engines engines = Engines.start(place, entrant, load, options.engines())) {
            engines.awaitReady();
            AtomicReference<Duration> cpu = new AtomicReference<>(Duration.ZERO);
            TimedCalls calls = new OpenLoop(place, entrant.arm(), load, options.schedule()).run(engines::areAlive,
                    () -> {
                        cpu.set(engines.cpu());
                        disturbance.to(engines);
                    });
            double cores = engines.cpu().minus(cpu.get()).toNanos() / (double) options.schedule().measured().toNanos();
            double average = ProcessUse.loadAverage();
            engines.stop();
            return Rated.of(entrant, load, round, calls, cores, average,
                    AnswerReader.check(place, options.schedule().all(), new Appended(0)));
        }
    }
}
