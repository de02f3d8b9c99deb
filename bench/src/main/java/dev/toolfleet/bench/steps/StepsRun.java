package dev.toolfleet.bench.steps;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalInt;
import java.util.function.Consumer;

import dev.toolfleet.bench.fleet.BenchBundle;
import dev.toolfleet.bench.fleet.CatalogMain;
import dev.toolfleet.bench.fleet.ProcessUse;
import dev.toolfleet.bench.steps.StepTraffic.Span;
import dev.toolfleet.bench.timing.Latencies;
import dev.toolfleet.client.topics.FleetTopics;
import dev.toolfleet.embedded.BrokerProcess;
import dev.toolfleet.embedded.EmbeddedKafkaConfig;
import dev.toolfleet.embedded.process.ChildJvm;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.topic.Topics;

/// A run: a broker and, for one choice of settings after the other, a catalog service, each in a process of its own,
/// and steps at a steady rate. Used once, by one thread.
///
/// @param root an empty folder for all that the run writes
/// @param progress receives the run's progress, line by line
public record StepsRun(StepsOptions options, Path root, Consumer<String> progress) {
    private static final int PARTITIONS = 12;
    private static final Topics TOPICS = new Topics("");
    private static final Duration WARM_UP = Duration.ofSeconds(8);
    /// The broker, which serves all settings, and this process: without it whatever is measured first looks slow.
    private static final Duration FIRST_WARM_UP = Duration.ofSeconds(25);
    private static final Duration READY = Duration.ofSeconds(60);
    private static final Duration STOP = Duration.ofSeconds(60);
    private static final List<String> FLAGS = List.of("-Xmx512m", "-XX:+UseSerialGC",
            "-Dlogback.configurationFile=bench-logback.xml");

    /// Runs.
    ///
    /// @throws IllegalStateException when the run itself could not be done
    public StepsReport run() throws IOException, InterruptedException {
        progress.accept("starting a broker ...");
        EmbeddedKafkaConfig config = EmbeddedKafkaConfig.temporary().withData(root.resolve("broker"))
                .withPartitions(PARTITIONS);
        try (BrokerProcess broker = BrokerProcess.start(config, root.resolve("broker.log"))) {
            Map<String, Object> client = Map.of("bootstrap.servers", broker.bootstrapServers());
            new FleetTopics(TOPICS, client, Duration.ofMinutes(1)).create(OptionalInt.of(PARTITIONS),
                    OptionalInt.of(1));
            BenchBundle.publish(TypicalAgent.bundle(), TOPICS.name(Topic.RESOURCE), client);
            List<StepsReport.Phase> phases = new ArrayList<>();
            try (StepTraffic traffic = new StepTraffic(TOPICS, broker.bootstrapServers(), PARTITIONS);
                    StepTopics topics = new StepTopics(TOPICS, broker.bootstrapServers(), PARTITIONS)) {
                for (Map<String, String> settings : options.settings())
                    phases.add(phase(broker, settings, phases.isEmpty() ? FIRST_WARM_UP : WARM_UP, traffic, topics));
            }
            return new StepsReport(phases);
        }
    }

    private StepsReport.Phase phase(BrokerProcess broker, Map<String, String> settings, Duration warmUp,
            StepTraffic traffic, StepTopics topics) throws InterruptedException {
        int contentsBefore = topics.contents();
        List<String> arguments = new ArrayList<>(List.of(root.resolve("state").toString(), TOPICS.prefix(),
                "bootstrap.servers=" + broker.bootstrapServers()));
        settings.forEach((key, value) -> arguments.add(key + "=" + value));
        try (ChildJvm service = ChildJvm.start(new ChildJvm.Launch(CatalogMain.class, FLAGS, arguments,
                root.resolve("catalog.log")))) {
            service.awaitReady(READY);
            traffic.announce(options.rate(), warmUp);
            StepTopics.Size before = topics.size();
            Duration serviceBefore = ProcessUse.cpu(service.pid());
            Duration brokerBefore = ProcessUse.cpu(broker.pid());
            long begun = System.nanoTime();
            Span span = traffic.announce(options.rate(), options.measured());
            double seconds = (System.nanoTime() - begun) / 1e9;
            double serviceCores = seconds(ProcessUse.cpu(service.pid()).minus(serviceBefore)) / seconds;
            double brokerCores = seconds(ProcessUse.cpu(broker.pid()).minus(brokerBefore)) / seconds;
            StepTopics.Size after = topics.size();
            service.terminate();
            if (!service.awaitEnd(STOP))
                throw new IllegalStateException("the catalog service does not end");

            int answered = span.latencies().count();
            long marks = after.stepOffsets() - before.stepOffsets() - answered;
            StepsReport.Phase phase = new StepsReport.Phase(settings, span.sent(), answered,
                    span.sent() / (span.nanos() / 1e9), latency(span.latencies()),
                    new StepsReport.Cost((after.stepBytes() - before.stepBytes()) / (double) span.sent(),
                            marks / seconds, serviceCores, brokerCores,
                            topics.contents() - contentsBefore));
            progress.accept(String.format(Locale.ROOT, "p99 is %d ms with %s", phase.latency().p99().toMillis(),
                    settings.isEmpty() ? "the service's own settings" : settings));
            return phase;
        }
    }

    private static double seconds(Duration duration) {
        return duration.toNanos() / 1e9;
    }

    private static StepsReport.Latency latency(Latencies latencies) {
        return new StepsReport.Latency(latencies.at(50), latencies.at(95), latencies.at(99), latencies.at(100));
    }

    /// Options of a run.
    ///
    /// @param rate steps a second
    /// @param measured how long steps are measured with each of the settings, after a warm-up
    /// @param settings client properties of the catalog service beside its own, one after the other
    public record StepsOptions(int rate, Duration measured, List<Map<String, String>> settings) {
        /// Checks the values.
        ///
        /// @throws IllegalArgumentException naming one
        public StepsOptions {
            settings = settings.stream().map(Map::copyOf).toList();
            if (rate < 1 || rate > 100_000)
                throw new IllegalArgumentException("rate is " + rate + "; it must be 1 to 100000");
            if (measured.toSeconds() < 1 || measured.toHours() >= 1)
                throw new IllegalArgumentException("seconds is " + measured.toSeconds() + "; it must be 1 to 3599");
            if (settings.isEmpty())
                throw new IllegalArgumentException("there are no settings to measure; name some, or none at all");
        }
    }
}
