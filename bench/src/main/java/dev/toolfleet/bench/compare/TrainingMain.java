package dev.toolfleet.bench.compare;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Random;

import dev.toolfleet.bench.engine.ComparedCalls;
import dev.toolfleet.bench.fleet.WorkerMain;
import dev.toolfleet.bench.load.KeyMix;
import dev.toolfleet.embedded.process.ParentLink;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.worker.app.Worker;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// What a JVM does to learn: a broker and a worker in it answer calls. Its argument is an empty folder. It tells its
/// parent once all were answered as they should be and everything has stopped, and ends.
public final class TrainingMain {
    private static final Logger LOG = LoggerFactory.getLogger(TrainingMain.class);
    private static final int CALLS = 60_000;
    private static final Load LOAD = new Load(Duration.ZERO, new KeyMix.Uniform(1_000), 200, 1);
    private static final Duration NO_PROGRESS = Duration.ofSeconds(60);

    private TrainingMain() {}

    /// Learns.
    public static void main(String[] arguments) {
        ParentLink parent = ParentLink.open();
        try (Ground ground = Ground.startHere(Path.of(arguments[0]));
                Ground.Place place = ground.place(Arm.TOOLFLEET)) {
            answer(place);
        } catch (IOException | InterruptedException | RuntimeException e) {
            LOG.error("nothing could be learned", e);
            System.exit(1);
        }
        parent.ready("learned");
        System.exit(0);
    }

    private static void answer(Ground.Place place) throws IOException, InterruptedException {
        Preparation preparation = new Preparation(place);
        preparation.fleet(LOAD.keys());
        preparation.calls(new ComparedCalls(Arm.TOOLFLEET.export(), LOAD.work(), LOAD.textBytes()), CALLS,
                LOAD.keys().draw(new Random(LOAD.seed())));
        try (KafkaConsumer<byte[], byte[]> results = place.reader(Topic.RESULT);
                Worker _ = Worker.start(WorkerMain.config(Engines.basic(place, "learner")))) {
            int count = 0;
            for (long heard = System.nanoTime(); count < CALLS;) {
                int polled = results.poll(Duration.ofMillis(100)).count();
                if (polled > 0)
                    heard = System.nanoTime();
                if (System.nanoTime() - heard > NO_PROGRESS.toNanos())
                    throw new IllegalStateException("of " + CALLS + " calls, " + count + " were answered");
                count += polled;
            }
        }
        Verdict verdict = Answers.check(place, CALLS, new Appended(CALLS));
        if (!verdict.clean())
            throw new IllegalStateException("not all calls were answered as they should be: " + verdict);
    }
}
