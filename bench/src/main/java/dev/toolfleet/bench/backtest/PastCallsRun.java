package dev.toolfleet.bench.backtest;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;

import dev.toolfleet.bench.fleet.BenchBundle;
import dev.toolfleet.cli.Main;
import dev.toolfleet.client.topics.FleetTopics;
import dev.toolfleet.embedded.BrokerProcess;
import dev.toolfleet.embedded.EmbeddedKafkaConfig;
import dev.toolfleet.embedded.process.ChildJvm;
import dev.toolfleet.json.Json;
import dev.toolfleet.topic.Topics;
import tools.jackson.databind.JsonNode;

/// A run: a broker gets past calls and their results, and `toolfleet policy backtest` judges them in a process of its
/// own, with 512 MB of heap. Used once, by one thread.
public final class PastCallsRun {
    private static final Topics TOPICS = new Topics("");
    private static final int PARTITIONS = 12;
    private static final Duration LOOK = Duration.ofMillis(100);
    private static final Duration LONGEST = Duration.ofMinutes(30);

    private final PastCallsOptions options;
    private final Path root;
    private final Consumer<String> progress;
    private Duration processor = Duration.ZERO;

    /// @param root an empty folder for all that the run writes
    /// @param progress receives how the run goes on, line by line
    public PastCallsRun(PastCallsOptions options, Path root, Consumer<String> progress) {
        this.options = options;
        this.root = root;
        this.progress = progress;
    }

    /// Runs.
    ///
    /// @throws IllegalStateException when the run itself could not be done
    public PastCallsReport run() throws IOException, InterruptedException {
        progress.accept("starting a broker ...");
        try (BrokerProcess broker = BrokerProcess.start(
                EmbeddedKafkaConfig.temporary().withData(root.resolve("broker")).withPartitions(PARTITIONS),
                root.resolve("broker.log"))) {
            Map<String, Object> client = Map.of("bootstrap.servers", broker.bootstrapServers());
            new FleetTopics(TOPICS, client, Duration.ofMinutes(1)).create(OptionalInt.of(PARTITIONS),
                    OptionalInt.of(1));
            BenchBundle.apply(PastBundles.applied(root.resolve("applied")), TOPICS, client);
            progress.accept(String.format(Locale.ROOT, "writing %,d calls and their results ...", options.calls()));
            Map<String, Long> expected;
            try (PastTraffic traffic = new PastTraffic(TOPICS, PARTITIONS, broker.bootstrapServers())) {
                expected = traffic.write(options.calls());
            }
            progress.accept("judging them ...");
            Path other = PastBundles.other(root.resolve("other"));
            long begun = System.nanoTime();
            JsonNode printed = backtest(other, broker.bootstrapServers());
            return report(printed, expected, Duration.ofNanos(System.nanoTime() - begun));
        }
    }

    private JsonNode backtest(Path bundle, String bootstrapServers) throws IOException, InterruptedException {
        Path out = root.resolve("backtest.json");
        Path log = root.resolve("backtest.log");
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("-Xmx512m");
        command.addAll(ChildJvm.FLAGS);
        String classPath = String.join(File.pathSeparator, Stream
                .of(System.getProperty("java.class.path").split(File.pathSeparator, -1))
                .map(entry -> Path.of(entry).toAbsolutePath().toString()).toList());
        command.addAll(List.of("-cp", classPath, Main.class.getName(), "policy", "backtest", "--bundle",
                bundle.toString(), "--format", "json", "--bootstrap", bootstrapServers));
        Process process = new ProcessBuilder(command).redirectOutput(out.toFile()).redirectError(log.toFile()).start();
        awaitEnd(process, log);
        if (process.exitValue() != 0)
            throw new IllegalStateException("the backtest ended with " + process.exitValue() + ": "
                    + Files.readString(log, StandardCharsets.UTF_8));
        return Json.MAPPER.readTree(Files.readString(out));
    }

    private void awaitEnd(Process process, Path log) throws InterruptedException {
        long begun = System.nanoTime();
        while (!process.waitFor(LOOK.toMillis(), TimeUnit.MILLISECONDS)) {
            process.info().totalCpuDuration().ifPresent(used -> processor = used);
            if (System.nanoTime() - begun > LONGEST.toNanos()) {
                process.destroyForcibly();
                throw new IllegalStateException("the backtest does not end; its log is " + log);
            }
        }
    }

    private PastCallsReport report(JsonNode printed, Map<String, Long> expected, Duration time) {
        Map<String, Long> found = new TreeMap<>();
        long joined = 0;
        for (String section : List.of("changes", "shadows")) {
            for (JsonNode finding : printed.path(section)) {
                found.put(finding.path("finding").asString(), finding.path("calls").longValue());
                for (JsonNode group : finding.path("groups"))
                    joined += group.at("/returned/ok").longValue();
            }
        }
        return new PastCallsReport(options.calls(), printed.path("judged").longValue(), expected, found, joined, time,
                processor);
    }

    /// Options of a run.
    ///
    /// @param calls the number of past calls
    public record PastCallsOptions(int calls) {
        /// Checks the value.
        ///
        /// @throws IllegalArgumentException naming it
        public PastCallsOptions {
            if (calls < 1_000 || calls > 100_000_000)
                throw new IllegalArgumentException("calls is " + calls + "; it must be 1000 to 100000000");
        }
    }
}
