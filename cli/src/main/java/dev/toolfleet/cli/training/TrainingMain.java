package dev.toolfleet.cli.training;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

import dev.toolfleet.cli.play.BatchRun;
import dev.toolfleet.cli.play.BatchRun.RunOptions;
import dev.toolfleet.cli.terminal.Logs;
import dev.toolfleet.cli.terminal.Terminal;
import dev.toolfleet.embedded.process.ParentLink;
import dev.toolfleet.json.Json;
import dev.toolfleet.wire.ResultStatus;
import dev.toolfleet.wire.ToolResult;
import dev.toolfleet.wire.WireCodec;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ObjectNode;

import static java.util.Objects.requireNonNull;

/// Main class of the JVM that learns: plays a script of calls against the training bundle, as `toolfleet run` does. Its
/// argument is an empty folder. It reports to its parent once all calls have a result `ok` and everything has stopped,
/// and ends.
public final class TrainingMain {
    private static final Logger LOG = LoggerFactory.getLogger(TrainingMain.class);
    private static final WireCodec<ToolResult> RESULTS = WireCodec.of(ToolResult.class);
    private static final String BUNDLE = "toolfleet.yaml";
    private static final int CALLS = 60_000;
    private static final int INSTANCES = 1_000;
    private static final String TEXT = "the weather in the valley was fine, and no report came from the hills "
            .repeat(3);
    private static final Duration TIMEOUT = Duration.ofMinutes(4);

    private TrainingMain() {}

    /// Learns.
    public static void main(String[] arguments) {
        ParentLink parent = ParentLink.open();
        // As `toolfleet worker`.
        Logs.SERVICE.apply();
        try {
            answer(Path.of(arguments[0]));
        } catch (IOException | InterruptedException | RuntimeException e) {
            LOG.error("the training run failed", e);
            System.exit(1);
        }
        parent.ready("learned");
        System.exit(0);
    }

    private static void answer(Path folder) throws IOException, InterruptedException {
        Path bundle = Files.createDirectories(folder.resolve("bundle"));
        try (InputStream yaml = requireNonNull(TrainingMain.class.getResourceAsStream("/training/" + BUNDLE))) {
            Files.copy(yaml, bundle.resolve(BUNDLE));
        }
        Path calls = folder.resolve("calls.jsonl");
        try (BufferedWriter lines = Files.newBufferedWriter(calls)) {
            for (int number = 0; number < CALLS; number++)
                lines.append(call(number)).append('\n');
        }
        Path results = folder.resolve("results.jsonl");
        int code = new BatchRun(new RunOptions(bundle, Optional.of(calls), Optional.of(results), Optional.empty(),
                Optional.empty(), TIMEOUT, 0, Map.of()), Terminal.system(System.getenv()),
                InputStream.nullInputStream()).run();
        long answered = answered(results);
        if (code != 0 || answered != CALLS)
            throw new IllegalStateException("of " + CALLS + " calls, " + answered + " have a result ok");
    }

    private static String call(int number) {
        ObjectNode call = Json.MAPPER.createObjectNode().put("name", "training__put").put("id", "call-" + number)
                .put("instanceKey", "instance-" + number % INSTANCES).put("userId", "user-1")
                .put("channelId", "channel-1");
        call.putObject("args").put("number", number).put("text", TEXT);
        return call.toString();
    }

    private static long answered(Path results) throws IOException {
        try (Stream<String> lines = Files.lines(results)) {
            return lines.filter(line -> RESULTS.read(line.getBytes(StandardCharsets.UTF_8)).status() == ResultStatus.OK)
                    .count();
        }
    }
}
