package dev.toolfleet.catalog.app;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

import dev.toolfleet.catalog.TypicalAgent;
import dev.toolfleet.embedded.junit.EmbeddedKafkaTest;
import dev.toolfleet.embedded.junit.KafkaFixture;
import dev.toolfleet.embedded.process.ChildJvm;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.topic.Topics;
import dev.toolfleet.wire.RecentStep;
import dev.toolfleet.wire.StepCatalog;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/// Kills the service (SIGKILL) under load.
@EmbeddedKafkaTest
@Timeout(600)
class KilledServiceIT {
    private static final int INSTANCES = 50;
    private static final Duration READY = Duration.ofSeconds(90);
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path folder;
    @SuppressWarnings("NullAway.Init")
    private KafkaFixture kafka;
    @SuppressWarnings("NullAway.Init")
    private Fleet fleet;

    @BeforeEach
    void create(KafkaFixture broker) {
        kafka = broker;
        fleet = new Fleet(broker);
        fleet.bundles().apply("acme", TypicalAgent.resources("one"));
    }

    @AfterEach
    void close() {
        fleet.close();
    }

    @Test
    void everyStepHasExactlyOneAnswerInOrderThoughTheServiceIsKilledUnderLoad() throws Exception {
        AtomicBoolean stop = new AtomicBoolean();
        CompletableFuture<Integer> feed;
        try (Fleet.Reader answers = fleet.read(Topic.CATALOG_STEP, Fleet.PARTITIONS)) {
            int before;
            try (ChildJvm killed = launch("one")) {
                killed.awaitReady(READY);
                feed = feed(stop);
                before = answers.until(seen -> seen.size() > 500).size();
                killed.kill();
            }
            try (ChildJvm heir = launch("two")) {
                heir.awaitReady(READY);
                answers.until(PATIENCE, seen -> seen.size() > before + 500);
                stop.set(true);
                int rounds = feed.join();
                List<ConsumerRecord<String, byte[]>> all = answers.whileTheyCome(PATIENCE,
                        seen -> seen.size() >= INSTANCES * rounds);

                List<String> expected = IntStream.range(0, rounds).mapToObj(round -> "s" + round).toList();
                assertThat(byInstance(all)).hasSize(INSTANCES).allSatisfy((instance, answered) -> {
                    assertThat(answered).extracting(StepCatalog::stepId).isEqualTo(expected);
                    assertThat(answered).extracting(StepCatalog::digest).containsOnly(answered.getFirst().digest());
                    assertThat(answered.getLast().recent()).extracting(RecentStep::stepId)
                            .isEqualTo(expected.subList(rounds - 1 - StepCatalog.RECENT, rounds - 1).reversed());
                });
            }
        }
        // Nothing comes late.
        assertThat(fleet.all(Topic.CATALOG_STEP)).hasSize(INSTANCES * feed.join());
        try (Fleet.Reader contents = fleet.read(Topic.CATALOG_CONTENT, 1)) {
            assertThat(contents.until(seen -> !seen.isEmpty())).extracting(ConsumerRecord::key)
                    .containsOnly(Fleet.catalog(fleet.all(Topic.CATALOG_STEP).getFirst()).digest());
        }
    }

    /// Sends a round of steps every few milliseconds.
    ///
    /// @return the number of rounds, after the stop
    private CompletableFuture<Integer> feed(AtomicBoolean stop) {
        return CompletableFuture.supplyAsync(() -> {
            int round = 0;
            for (; !stop.get(); round++) {
                for (int instance = 0; instance < INSTANCES; instance++) {
                    fleet.announce(instance % Fleet.PARTITIONS, "instance-" + instance, TypicalAgent.NAME,
                            "s" + round);
                }
                pause();
            }
            return round;
        }, task -> Thread.ofVirtual().start(task));
    }

    private static void pause() {
        LockSupport.parkNanos(Duration.ofMillis(100).toNanos());
    }

    private ChildJvm launch(String name) {
        return ServiceProcess.launch(kafka.bootstrapServers(), new Topics(kafka.prefix()), folder.resolve(name),
                folder.resolve(name + ".log"));
    }

    private static Map<String, List<StepCatalog>> byInstance(List<ConsumerRecord<String, byte[]>> records) {
        Map<String, List<StepCatalog>> steps = new LinkedHashMap<>();
        records.forEach(record -> steps.computeIfAbsent(record.key(), key -> new ArrayList<>())
                .add(Fleet.catalog(record)));
        return steps;
    }
}
