package dev.toolfleet.gateway.readmodel;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;

import dev.toolfleet.embedded.junit.EmbeddedKafkaTest;
import dev.toolfleet.embedded.junit.KafkaFixture;
import dev.toolfleet.gateway.calls.CallId;
import dev.toolfleet.gateway.topology.CallRecords;
import dev.toolfleet.wire.ResultStatus;
import dev.toolfleet.wire.ToolCall;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/// The meters of the read model show what Kafka Streams measures, under the names of the version in use.
@EmbeddedKafkaTest
class ReadModelMetersIT {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int CALLS = 200;

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path folder;
    @SuppressWarnings("NullAway.Init")
    private Fleet fleet;

    @BeforeEach
    void on(KafkaFixture kafka) {
        fleet = new Fleet(kafka);
    }

    @AfterEach
    void stop() {
        fleet.close();
    }

    private static double gauge(MeterRegistry meters, String name, String... tags) {
        return meters.get(name).tags(tags).gauge().value();
    }

    private static double read(MeterRegistry meters) {
        return meters.get(ReadModelMeters.RECORDS).functionCounter().count();
    }

    private void writeCalls() {
        for (int i = 0; i < CALLS; i++) {
            int partition = i % Fleet.PARTITIONS;
            ToolCall call = CallRecords.call("chat-" + i, "c1");
            CallId id = new CallId(partition, fleet.write(partition, CallRecords.called(call, Instant.now())));
            fleet.write(partition, CallRecords.result(call, id.offset(), ResultStatus.OK, null, Instant.now()));
        }
    }

    @Test
    void whatIsReadAndKeptAndBehindIsMeasured() {
        writeCalls();
        MeterRegistry meters = fleet.start(folder.resolve("one")).meters();

        Awaitility.await().atMost(PATIENCE).untilAsserted(() -> {
            assertThat(read(meters)).isEqualTo(2 * CALLS);
            assertThat(gauge(meters, ReadModelMeters.ENTRIES)).as("call, identity or instance, result, its index")
                    .isGreaterThanOrEqualTo(4 * CALLS);
            assertThat(gauge(meters, ReadModelMeters.BEHIND)).isZero();
        });
        assertThat(gauge(meters, ReadModelMeters.PARTITIONS, ReadModelMeters.ROLE, "owner"))
                .isEqualTo(Fleet.PARTITIONS);
        assertThat(meters.get(ReadModelMeters.REPLACED_THREADS).functionCounter().count()).isZero();
    }

    @Test
    void aReaderThatIsSlowIsBehind() {
        writeCalls();
        // One record in a poll: the others lie ahead meanwhile.
        fleet.set(Map.of("main.consumer.max.poll.records", "1"));
        SimpleMeterRegistry meters = new SimpleMeterRegistry();
        try (Watch behind = new Watch(meters, ReadModelMeters.BEHIND)) {
            fleet.start(folder.resolve("one"), meters);
            Awaitility.await().atMost(PATIENCE).untilAsserted(() -> assertThat(read(meters)).isEqualTo(2 * CALLS));
            assertThat(behind.wasPositive()).isTrue();
        }
        Awaitility.await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(gauge(meters, ReadModelMeters.BEHIND)).isZero());
    }

    @Test
    void partitionsAreCountedAtTheirOwnerAndAtTheirCopy() {
        List<Fleet.Replica> replicas = List.of(fleet.start(folder.resolve("one")),
                fleet.start(folder.resolve("two")));

        for (String role : List.of("owner", "copy")) {
            Awaitility.await().atMost(PATIENCE).untilAsserted(() -> assertThat(replicas.stream()
                    .mapToDouble(each -> gauge(each.meters(), ReadModelMeters.PARTITIONS, ReadModelMeters.ROLE, role))
                    .sum()).as(role).isEqualTo(Fleet.PARTITIONS));
        }
    }

    @Test
    void aGatewayWithoutFilesReadsItsStoresBack() {
        writeCalls();
        Fleet.Replica before = fleet.start(folder.resolve("one"));
        Awaitility.await().atMost(PATIENCE).untilAsserted(() -> assertThat(read(before.meters())).isEqualTo(2 * CALLS));
        before.model().close();

        fleet.set(Map.of("restore.consumer.max.poll.records", "1"));
        SimpleMeterRegistry meters = new SimpleMeterRegistry();
        try (Watch restoring = new Watch(meters, ReadModelMeters.RESTORING)) {
            fleet.start(folder.resolve("two"), meters);
            assertThat(restoring.wasPositive()).isTrue();
        }
        assertThat(gauge(meters, ReadModelMeters.RESTORING)).isZero();
        assertThat(read(meters)).as("its offsets are committed").isZero();
    }

    /// Watch over a gauge while another thread works.
    private static final class Watch implements AutoCloseable {
        private final AtomicBoolean positive = new AtomicBoolean();
        private final AtomicBoolean closed = new AtomicBoolean();
        private final CompletableFuture<Void> thread;

        Watch(MeterRegistry meters, String name) {
            thread = CompletableFuture.runAsync(() -> {
                while (!closed.get()) {
                    if (meters.find(name).gauges().stream().anyMatch(gauge -> gauge.value() > 0))
                        positive.set(true);
                }
            });
        }

        boolean wasPositive() {
            return positive.get();
        }

        @Override
        public void close() {
            closed.set(true);
            thread.join();
        }
    }
}
