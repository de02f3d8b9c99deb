package dev.toolfleet.bench.compare;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.function.Consumer;

import dev.toolfleet.bench.engine.ComparedCalls;
import dev.toolfleet.bench.load.KeyMix;
import dev.toolfleet.client.topics.TopicScan;
import dev.toolfleet.topic.Topic;

/// Starts: calls wait on the topic, the broker serves, and what is measured is how long it takes from the start of an
/// engine's process until its first result is read under `read_committed`. Used once, by one thread.
///
/// @param root an empty folder for all that the run writes
/// @param progress receives the run's progress, line by line
public record StartRun(StartOptions options, Path root, Consumer<String> progress) {
    private static final int CALLS = 120;
    private static final CallLoad LOAD = new CallLoad(Duration.ZERO, new KeyMix.Uniform(CALLS), 200, 1);
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /// One start.
    ///
    /// @param first until the first result
    /// @param all until that of all calls
    private record Started(Entrant entrant, int round, Duration first, Duration all, AnswerVerdict verdict) {}

    /// Runs.
    ///
    /// @throws IllegalStateException when the run itself could not be done
    public ComparisonFindings run() throws IOException, InterruptedException {
        List<Entrant> entrants = options.arms().stream().map(Entrant::of).toList();
        try (Ground ground = Ground.start(root, progress)) {
            return findings(Turns.take(entrants, List.of(LOAD), options.rounds(),
                    (entrant, load, round) -> one(ground, entrant, round)));
        }
    }

    private Started one(Ground ground, Entrant entrant, int round) throws IOException, InterruptedException {
        try (Ground.Place place = ground.place(entrant.arm())) {
            TopicPreparation preparation = new TopicPreparation(place);
            if (entrant.arm().isFleet())
                preparation.fleet(LOAD.keys(), entrant.arm().code());
            preparation.calls(new ComparedCalls(entrant.arm().export(), LOAD.work(), LOAD.textBytes()), CALLS,
                    LOAD.keys().draw(new Random(LOAD.seed())));
            Duration first = Duration.ZERO;
            long begun;
            int answered = 0;
            try (TopicScan results = place.reader(Topic.RESULT)) {
                results.poll(Duration.ofMillis(200));
                begun = System.nanoTime();
                try (Engines engines = Engines.start(place, entrant, LOAD, options.engines())) {
                    while (answered < CALLS && engines.areAlive()
                            && System.nanoTime() - begun < PATIENCE.toNanos()) {
                        answered += results.poll(Duration.ofMillis(20)).count();
                        if (answered > 0 && first.isZero())
                            first = Duration.ofNanos(System.nanoTime() - begun);
                    }
                    Duration all = Duration.ofNanos(System.nanoTime() - begun);
                    engines.stop();
                    progress.accept(String.format(Locale.ROOT, "round %d, %s: %d ms", round, entrant.name(),
                            first.toMillis()));
                    return new Started(entrant, round, first, all, AnswerReader.check(place, CALLS, new Appended(0)));
                }
            }
        }
    }

    private ComparisonFindings findings(List<Started> starts) {
        List<String> notes = new ArrayList<>();
        notes.add("Start: " + CALLS + " calls of as many instances wait on the topic; from the start of the process"
                + " until the first result is read under read_committed. Medians of " + options.rounds() + ".");
        List<List<String>> rows = new ArrayList<>();
        for (Entrant entrant : starts.stream().map(Started::entrant).distinct().toList()) {
            List<Started> of = starts.stream().filter(each -> each.entrant().equals(entrant)).toList();
            rows.add(List.of(entrant.name(), Numbers.whole(Medians.of(of, each -> each.first().toMillis())),
                    Numbers.whole(of.stream().mapToDouble(each -> each.first().toMillis()).min().orElse(0)) + " to "
                            + Numbers.whole(of.stream().mapToDouble(each -> each.first().toMillis()).max().orElse(0)),
                    Numbers.whole(Medians.of(of, each -> each.all().toMillis())),
                    Boolean.toString(of.stream().allMatch(each -> each.verdict().clean()))));
            notes.add(entrant.name() + ": " + entrant.arm().what() + ".");
        }
        return new ComparisonFindings(
                new Table(List.of("engine", "first result ms", "lowest to highest", "all results ms", "right"), rows),
                notes,
                new Table(List.of("engine", "round", "first_ms", "all_ms"), starts.stream()
                        .map(each -> List.of(each.entrant().name(), Integer.toString(each.round()),
                                Long.toString(each.first().toMillis()), Long.toString(each.all().toMillis())))
                        .toList()),
                starts.stream().allMatch(each -> each.verdict().clean()));
    }

    /// Options of a look at starts.
    ///
    /// @param arms what takes part
    /// @param rounds how often each starts
    /// @param engines how they are set up
    public record StartOptions(List<Arm> arms, int rounds, EngineOptions engines) {
        /// Checks the values.
        ///
        /// @throws IllegalArgumentException naming one
        public StartOptions {
            arms = arms.stream().distinct().toList();
            if (rounds < 1 || rounds > 100)
                throw new IllegalArgumentException("rounds is " + rounds + "; it must be 1 to 100");
        }
    }
}
