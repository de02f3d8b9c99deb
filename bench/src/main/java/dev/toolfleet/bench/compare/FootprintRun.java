package dev.toolfleet.bench.compare;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Random;
import java.util.function.Consumer;
import java.util.function.IntSupplier;

import dev.toolfleet.bench.engine.ComparedCalls;
import dev.toolfleet.bench.fleet.LiveJvm;
import dev.toolfleet.bench.fleet.ProcessUse;
import dev.toolfleet.client.topics.TopicScan;
import dev.toolfleet.topic.Topic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/// Keeps many calls in flight for a while, and looks at the memory of the engine's process each second. Used once, by
/// one thread.
///
/// @param root an empty folder for all that the run writes
/// @param progress receives the run's progress, line by line
public record FootprintRun(FootprintOptions options, Path root, Consumer<String> progress) {
    private static final Duration NO_PROGRESS = Duration.ofSeconds(60);
    private static final long SECOND = 1_000_000_000L;

    /// Runs.
    ///
    /// @throws IllegalStateException when the run itself could not be done
    public ComparisonFindings run() throws IOException, InterruptedException {
        List<Footprint> footprints = new ArrayList<>();
        try (Ground ground = Ground.start(root, progress)) {
            for (Arm arm : options.arms()) {
                if (arm.fits(FootprintOptions.WORK))
                    footprints.add(one(ground, new Entrant(arm.text(), arm, 1,
                            Map.of("worker.maxInFlight", Integer.toString(options.inFlight())),
                            OptionalDouble.empty())));
            }
        }
        return new FootprintReport(options).findings(footprints);
    }

    private Footprint one(Ground ground, Entrant entrant) throws IOException, InterruptedException {
        CallLoad load = options.load();
        EngineOptions engine = new EngineOptions(options.engines().jvm(), options.engines().settings(),
                options.inFlight());
        try (Ground.Place place = ground.place(entrant.arm())) {
            if (entrant.arm().isFleet()) {
                progress.accept("publishing the catalogs of " + load.keys().keys() + " steps ...");
                new TopicPreparation(place).fleet(load.keys(), entrant.arm().code());
            }
            try (Engines engines = Engines.start(place, entrant, load, engine);
                    Feeder feeder = new Feeder(place, entrant, load)) {
                engines.awaitReady();
                List<Long> resident = feed(feeder, engines, entrant);
                double perSecond = feeder.answered / (double) options.duration().toSeconds();
                long live = LiveJvm.heapBytes(engines.pid());
                feeder.finish(engines);
                engines.stop();
                return new Footprint(entrant, resident, perSecond, live,
                        AnswerReader.check(place, feeder.sent, new Appended(0)));
            }
        }
    }

    private List<Long> feed(Feeder feeder, Engines engines, Entrant entrant) {
        List<Long> resident = new ArrayList<>();
        long begun = System.nanoTime();
        while (System.nanoTime() - begun < options.duration().toNanos() && engines.areAlive()) {
            feeder.fill(2 * options.inFlight());
            if (System.nanoTime() - begun < (resident.size() + 1) * SECOND)
                continue;
            resident.add(ProcessUse.residentBytes(engines.pid()));
            if (resident.size() % 30 == 0)
                progress.accept(String.format(Locale.ROOT, "%s, %d s: %.0f MB resident, %,d results", entrant.name(),
                        resident.size(), resident.getLast() / 1e6, feeder.answered));
        }
        return resident;
    }

    /// Writes calls as fast as they are answered. For one thread.
    private static final class Feeder implements AutoCloseable {
        private final KafkaProducer<byte[], byte[]> producer;
        private final TopicScan results;
        private final String topic;
        private final ComparedCalls calls;
        private final IntSupplier keys;
        private int sent;
        private int answered;

        Feeder(Ground.Place place, Entrant entrant, CallLoad load) {
            producer = new KafkaProducer<>(Map.of("bootstrap.servers", place.bootstrapServers(), "linger.ms", 5),
                    new ByteArraySerializer(), new ByteArraySerializer());
            results = place.reader(Topic.RESULT);
            topic = place.topic(Topic.CALL);
            calls = new ComparedCalls(entrant.arm().export(), load.work(), load.textBytes());
            keys = load.keys().draw(new Random(load.seed()));
        }

        /// Keeps this number of calls open, on the topic or in the engine, and reads what was answered.
        void fill(int open) {
            while (sent - answered < open) {
                int key = keys.getAsInt();
                var _ = producer.send(new ProducerRecord<>(topic, ComparedCalls.key(key), calls.call(sent++, key)));
            }
            answered += results.poll(Duration.ofMillis(50)).count();
        }

        /// Waits for the results of all that was sent.
        void finish(Engines engines) {
            long heard = System.nanoTime();
            while (answered < sent && engines.areAlive() && System.nanoTime() - heard < NO_PROGRESS.toNanos()) {
                int polled = results.poll(Duration.ofMillis(100)).count();
                answered += polled;
                if (polled > 0)
                    heard = System.nanoTime();
            }
        }

        @Override
        public void close() {
            producer.close(Duration.ZERO);
            results.close();
        }
    }
}
