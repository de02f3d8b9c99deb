package dev.toolfleet.bench.memory;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;

import dev.toolfleet.bench.fleet.LiveJvm;
import dev.toolfleet.bench.fleet.SoloFleet;
import dev.toolfleet.bench.load.Kind;
import dev.toolfleet.bench.load.PlannedCall;
import dev.toolfleet.bench.memory.MemoryReport.Sample;
import dev.toolfleet.client.topics.TopicScan;
import dev.toolfleet.json.Json;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.wire.WireCodec;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/// A run: calls of all kinds, of ever new instances, through one worker; after each tenth of them the worker has
/// nothing to do, collects its garbage, and is asked what is left. Used once, by one thread.
public final class MemoryRun {
    private static final WireCodec<ToolCall> CODEC = WireCodec.of(ToolCall.class);
    private static final List<Kind> KINDS = List.copyOf(EnumSet.allOf(Kind.class));
    private static final int MOST_OPEN = 5_000;
    private static final int CALLS_PER_INSTANCE = 50;
    private static final Duration NO_PROGRESS = Duration.ofSeconds(90);

    private final MemoryOptions options;
    private final Path root;
    private final Consumer<String> progress;
    private int sent;
    private int answered;

    /// @param root an empty folder for all that the run writes
    /// @param progress is told, line by line, how the run goes on
    public MemoryRun(MemoryOptions options, Path root, Consumer<String> progress) {
        this.options = options;
        this.root = root;
        this.progress = progress;
    }

    /// Runs.
    ///
    /// @throws IllegalStateException when the run itself could not be done
    public MemoryReport run() throws IOException, InterruptedException {
        progress.accept("starting a broker and a worker ...");
        try (SoloFleet fleet = SoloFleet.start(root, ManyTools.class);
                KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(
                        Map.of("bootstrap.servers", fleet.bootstrapServers(), "linger.ms", 5),
                        new ByteArraySerializer(), new ByteArraySerializer());
                TopicScan results = fleet.reader(Topic.RESULT)) {
            Sample idle = new Sample(0, LiveJvm.heapBytes(fleet.workerPid()));
            List<Sample> samples = new ArrayList<>();
            for (int sample = 1; sample <= MemoryOptions.SAMPLES; sample++) {
                answer(sample * options.each(), fleet, producer, results);
                samples.add(new Sample(answered, LiveJvm.heapBytes(fleet.workerPid())));
                progress.accept(String.format(Locale.ROOT, "%,d calls answered, %.1f MB live", answered,
                        samples.getLast().liveBytes() / 1e6));
            }
            return new MemoryReport(idle, samples);
        }
    }

    /// Makes calls until there were `target`, and waits for the last one's result.
    private void answer(int target, SoloFleet fleet, KafkaProducer<byte[], byte[]> producer,
            TopicScan results) {
        long progressed = System.nanoTime();
        while (answered < target) {
            while (sent < target && sent - answered < MOST_OPEN)
                send(producer);
            int count = results.poll(Duration.ofMillis(20)).count();
            answered += count;
            if (count > 0) {
                progressed = System.nanoTime();
            } else if (!fleet.workerIsAlive() || System.nanoTime() - progressed > NO_PROGRESS.toNanos()) {
                throw new IllegalStateException("nothing was answered for " + NO_PROGRESS.toSeconds()
                        + " s, or the worker has ended; " + answered + " of " + sent + " calls were");
            }
        }
    }

    private void send(KafkaProducer<byte[], byte[]> producer) {
        int number = sent++;
        Kind kind = KINDS.get(number % KINDS.size());
        String instance = "instance-" + number / CALLS_PER_INSTANCE;
        String turn = "turn-" + number;
        ToolCall call = ToolCall
                .of("call-0", kind.toolName(), Json.MAPPER.createObjectNode().put("n", number), instance)
                .inStep(PlannedCall.AGENT, turn, turn + "-step-0", 0);
        var _ = producer.send(new ProducerRecord<>(SoloFleet.topics().name(Topic.CALL),
                instance.getBytes(StandardCharsets.UTF_8), CODEC.write(call)));
    }

    /// Options of a run.
    ///
    /// @param calls how many are made in all
    public record MemoryOptions(int calls) {
        /// Number of looks at the heap.
        static final int SAMPLES = 10;

        /// Checks the value.
        ///
        /// @throws IllegalArgumentException naming it
        public MemoryOptions {
            if (calls < 1_000 * SAMPLES || calls > 100_000_000)
                throw new IllegalArgumentException("calls is " + calls + "; it must be 10000 to 100000000");
        }

        int each() {
            return calls / SAMPLES;
        }
    }
}
