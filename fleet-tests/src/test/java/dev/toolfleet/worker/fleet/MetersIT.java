package dev.toolfleet.worker.fleet;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

import dev.toolfleet.embedded.junit.EmbeddedKafkaTest;
import dev.toolfleet.embedded.junit.KafkaFixture;
import dev.toolfleet.worker.app.Worker;
import dev.toolfleet.worker.telemetry.WorkerMeters;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static dev.toolfleet.worker.fleet.TestFleet.call;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/// A worker's meters and its readiness follow what it does.
@EmbeddedKafkaTest
class MetersIT {
    private static final Duration SOON = Duration.ofSeconds(60);

    @TempDir
    private Path folder;

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

    @Test
    void metersAndReadinessFollowTheWorker(KafkaFixture kafka) throws Exception {
        String tag = kafka.prefix();
        try (TestFleet fleet = new TestFleet(kafka, folder, 1).with("maxAbandoned", "0").with("drain.timeout", "0s")) {
            fleet.announce("i", "s1");
            fleet.announce("j", "s1");
            Worker worker = fleet.worker("w1", registry);
            fleet.send(call("c1", "t__echo", "i", Map.of("n", 1)));
            fleet.send(call("c1", "t__echo", "i", Map.of("n", 1)));
            fleet.send(call("c1", "t__echo", "i", Map.of("n", 2)));
            assertThat(fleet.results(3)).hasSize(3);
            assertThat(counter(WorkerMeters.CALLS_REPLAYED)).isEqualTo(1);
            assertThat(counter(WorkerMeters.CALLS_CONFLICT)).isEqualTo(1);
            await().atMost(SOON).until(() -> gauge(WorkerMeters.DEDUPE_ENTRIES) == 1);
            assertThat(registry.get(WorkerMeters.DEDUPE_OLDEST_AGE).timeGauge().value()).isNotNegative();

            fleet.send(call("hold1", "t__held", "i", Map.of("tag", tag)));
            await().atMost(SOON).until(() -> gauge(WorkerMeters.CALLS_INFLIGHT) == 1);
            TestTools.probe(tag).gate.countDown();
            await().atMost(SOON).until(() -> gauge(WorkerMeters.CALLS_INFLIGHT) == 0);

            fleet.send(call("c2", "t__late", "j", Map.of("how", "stubborn", "tag", tag)));
            await().atMost(SOON).until(() -> gauge(WorkerMeters.HANDLERS_ABANDONED) == 1);
            assertThat(counter(WorkerMeters.HANDLERS_ABANDONMENTS)).isEqualTo(1);
            assertThat(counter(WorkerMeters.HANDLERS_LATE)).isZero();
            await().atMost(SOON).untilAsserted(
                    () -> assertThat(worker.notReady()).singleElement().asString().contains("maxAbandoned"));
            TestTools.probe(tag + "stubborn").gate.countDown();
            await().atMost(SOON).until(worker::isReady);
            assertThat(counter(WorkerMeters.HANDLERS_LATE)).isEqualTo(1);
        }
        assertThat(registry.getMeters()).as("nothing outlives the worker").isEmpty();
    }

    private double gauge(String name) {
        return registry.get(name).gauge().value();
    }

    private double counter(String name) {
        return registry.get(name).counter().count();
    }
}
