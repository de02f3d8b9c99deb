package dev.toolfleet.bench.compare;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.function.Consumer;

import dev.toolfleet.bench.compare.DrainReport.Drained;
import dev.toolfleet.bench.engine.ComparedCalls;
import dev.toolfleet.bench.fleet.ProcessUse;
import dev.toolfleet.client.topics.TopicScan;
import dev.toolfleet.topic.Topic;

/// Drains: all calls stand on the topic before an engine starts, and what is measured is how many committed results a
/// second come once it is warm. Used once, by one thread.
///
/// @param root an empty folder for all that the run writes
/// @param progress receives the run's progress, line by line
/// @param seconds receives the use of the machine in each second, when all drains are over
public record DrainRun(DrainOptions options, Path root, Consumer<String> progress, Consumer<Table> seconds) {
    /// A run without a look at single seconds.
    public DrainRun(DrainOptions options, Path root, Consumer<String> progress) {
        this(options, root, progress, _ -> {});
    }

    /// Runs.
    ///
    /// @throws IllegalStateException when the run itself could not be done
    public ComparisonFindings run() throws IOException, InterruptedException {
        List<Entrant> entrants = options.arms().stream().map(Entrant::of).toList();
        try (Ground ground = Ground.start(root, progress)) {
            List<Drained> drained = drain(ground, entrants);
            seconds.accept(DrainReport.seconds(drained));
            return new DrainReport(options).findings(drained);
        }
    }

    List<Drained> drain(Ground ground, List<Entrant> entrants) throws IOException, InterruptedException {
        return Turns.take(entrants, options.loads(), options.rounds(),
                (entrant, load, round) -> one(ground, entrant, load, round));
    }

    private Drained one(Ground ground, Entrant entrant, CallLoad load, int round)
            throws IOException, InterruptedException {
        DrainOptions its = options.forProcesses(entrant.processes());
        try (Ground.Place place = ground.place(entrant.arm())) {
            TopicPreparation preparation = new TopicPreparation(place);
            if (entrant.arm().isFleet())
                preparation.fleet(load.keys(), entrant.arm().code());
            preparation.calls(new ComparedCalls(entrant.arm().export(), load.work(), load.textBytes()), its.all(),
                    load.keys().draw(new Random(load.seed())));
            DrainClock.Use use;
            double average;
            try (TopicScan results = place.reader(Topic.RESULT);
                    Engines engines = Engines.start(place, entrant, load, options.engines())) {
                use = new DrainClock(engines, ground.brokerPid()).run(results, its);
                average = ProcessUse.loadAverage();
                engines.stop();
            }
            Appended appended = new Appended(2 * its.all());
            AnswerVerdict verdict = AnswerReader.check(place, its.all(), appended);
            Drained one = new Drained(entrant, load, round, appended.perSecond(its.from(), its.to()),
                    appended.whole(), use, average, verdict);
            progress.accept(String.format(Locale.ROOT, "round %d, %s, %s: %,.0f results a second%s", round, load.name(),
                    entrant.name(), one.perSecond(), verdict.clean() ? "" : "; " + verdict));
            return one;
        }
    }
}
