package dev.toolfleet.catalog.app;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import dev.toolfleet.catalog.Bundles;
import dev.toolfleet.catalog.app.CatalogService.CatalogStartException;
import dev.toolfleet.client.topics.KafkaHeaders;
import dev.toolfleet.embedded.junit.EmbeddedKafkaTest;
import dev.toolfleet.embedded.junit.KafkaFixture;
import dev.toolfleet.policy.Policy;
import dev.toolfleet.resources.RevisionPlan;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.topic.Topics;
import dev.toolfleet.topic.WireHeaders;
import dev.toolfleet.wire.RecentStep;
import dev.toolfleet.wire.StepCatalog;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static dev.toolfleet.catalog.Bundles.agent;
import static dev.toolfleet.catalog.Bundles.policy;
import static dev.toolfleet.catalog.Bundles.tool;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

@EmbeddedKafkaTest
class CatalogServiceIT {
    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path folder;
    @SuppressWarnings("NullAway.Init")
    private Fleet fleet;

    @BeforeEach
    void create(KafkaFixture kafka) {
        fleet = new Fleet(kafka);
    }

    @AfterEach
    void close() {
        fleet.close();
    }

    @Test
    void theCatalogFollowsItsStepsPartitionWhateverTheKey() {
        fleet.bundles().apply("acme", tool("a", "z"), agent("coder", "Tool/a"));
        try (CatalogService service = fleet.start(folder.resolve("one"));
                Fleet.Reader steps = fleet.read(Topic.CATALOG_STEP, Fleet.PARTITIONS);
                Fleet.Reader contents = fleet.read(Topic.CATALOG_CONTENT, 1)) {
            for (int partition = 0; partition < Fleet.PARTITIONS; partition++)
                fleet.announce(partition, "instance-" + partition, "coder", "s1");

            for (int partition = 0; partition < Fleet.PARTITIONS; partition++) {
                ConsumerRecord<String, byte[]> record = steps.step("instance-" + partition, "s1");
                assertThat(record.partition()).isEqualTo(partition);
                String digest = Fleet.catalog(record).digest();
                assertThat(new String(contents.first(content -> content.key().equals(digest)).value(),
                        StandardCharsets.UTF_8)).contains("\"a__z\"");
            }
            assertThat(service.replacedThreads()).isZero();
        }
    }

    @Test
    void aToolThatPolicyDeniesIsNotInTheContent() {
        fleet.bundles().apply("acme", tool("a", "z", "secret"), agent("coder", "Tool/a"),
                policy("{\"tool\": \"*__secret\", \"verdict\": \"deny\"}"));
        try (CatalogService service = fleet.start(folder.resolve("one"));
                Fleet.Reader steps = fleet.read(Topic.CATALOG_STEP, Fleet.PARTITIONS);
                Fleet.Reader contents = fleet.read(Topic.CATALOG_CONTENT, 1)) {
            fleet.announce(0, "instance", "coder", "s1");

            StepCatalog catalog = Fleet.catalog(steps.step("instance", "s1"));
            String content = new String(contents.first(record -> record.key().equals(catalog.digest())).value(),
                    StandardCharsets.UTF_8);
            assertThat(content).contains("a__z").doesNotContain("secret");
            assertThat(catalog.policyDigest()).isEqualTo(Policy.compile(service.resources()).digest());
        }
    }

    @Test
    void aRestartKeepsBundlesAndRecentStepsEvenWithoutItsFolder() {
        fleet.bundles().apply("acme", tool("a", "z"), agent("coder", "Tool/a"));
        try (Fleet.Reader steps = fleet.read(Topic.CATALOG_STEP, Fleet.PARTITIONS)) {
            StepCatalog before;
            try (CatalogService first = fleet.start(folder.resolve("one"))) {
                fleet.announce(3, "i", "coder", "s1");
                before = Fleet.catalog(steps.step("i", "s1"));
                assertThat(first.stopped()).isNotDone();
            }
            try (CatalogService second = fleet.start(folder.resolve("two"))) {
                assertThat(second.resources().agent("coder")).isPresent();
                fleet.announce(3, "i", "coder", "s2");
                StepCatalog after = Fleet.catalog(steps.step("i", "s2"));
                assertThat(after.recent()).containsExactly(new RecentStep("t", "s1", before.digest()));
                assertThat(after.digest()).isEqualTo(before.digest());
                assertThat(after.revision()).isEqualTo(1);
            }
            try (CatalogService third = fleet.start(folder.resolve("two"))) {
                fleet.announce(3, "i", "coder", "s3");
                assertThat(Fleet.catalog(steps.step("i", "s3")).recent()).extracting(RecentStep::stepId)
                        .containsExactly("s2", "s1");
                assertThat(third.replacedThreads()).isZero();
            }
        }
    }

    @Test
    void anUncommittedRevisionShowsNothing() {
        List<RevisionPlan.Entry> entries = new ArrayList<>();
        new Bundles(entries::addAll).apply("acme", tool("a", "z"), agent("coder", "Tool/a"));
        try (CatalogService service = fleet.start(folder.resolve("one"));
                KafkaProducer<String, byte[]> writer = fleet.transactional("slow");
                Fleet.Reader steps = fleet.read(Topic.CATALOG_STEP, Fleet.PARTITIONS)) {
            writer.beginTransaction();
            fleet.write(writer, entries);
            writer.flush();

            fleet.announce(0, "i", "coder", "s1");
            assertThat(Fleet.catalog(steps.step("i", "s1")).revision()).isZero();

            writer.commitTransaction();
            Awaitility.await().atMost(Duration.ofMinutes(1))
                    .until(() -> service.resources().agent("coder").isPresent());
            // Steps are answered by the loaded resources, which the service loads next.
            AtomicInteger count = new AtomicInteger(1);
            Awaitility.await().atMost(Duration.ofMinutes(1)).pollInSameThread().untilAsserted(() -> {
                String step = "s" + count.incrementAndGet();
                fleet.announce(0, "i", "coder", step);
                assertThat(Fleet.catalog(steps.step("i", step)).revision()).isEqualTo(1);
            });
        }
    }

    @Test
    void eachStepIsAnsweredOnceAndInOrderWhileServicesComeAndGo() {
        fleet.bundles().apply("acme", tool("a", "z"), agent("coder", "Tool/a"));
        int instances = 20;
        int stepsEach = 30;
        try (Fleet.Reader steps = fleet.read(Topic.CATALOG_STEP, Fleet.PARTITIONS)) {
            CatalogService first = fleet.start(folder.resolve("one"));
            announce(instances, 0, stepsEach / 3);
            try (CatalogService second = fleet.start(folder.resolve("two"))) {
                announce(instances, stepsEach / 3, 2 * stepsEach / 3);
                first.close();
                announce(instances, 2 * stepsEach / 3, stepsEach);
                List<ConsumerRecord<String, byte[]>> all = steps
                        .until(seen -> seen.size() >= instances * stepsEach);

                Map<String, List<String>> ofInstance = new TreeMap<>();
                all.forEach(record -> ofInstance.computeIfAbsent(record.key(), key -> new ArrayList<>())
                        .add(Fleet.catalog(record).stepId()));
                List<String> expected = IntStream.range(0, stepsEach).mapToObj(step -> "s" + step).toList();
                assertThat(ofInstance).hasSize(instances);
                assertThat(ofInstance.values()).allSatisfy(answered -> assertThat(answered).isEqualTo(expected));
                assertThat(Fleet.catalog(all.getLast()).recent()).hasSize(StepCatalog.RECENT);
                assertThat(second.replacedThreads()).isZero();
            }
        }
    }

    @Test
    void aRecordThatIsNoStepBecomesADeadLetterAndHoldsUpNobody() {
        try (CatalogService service = fleet.start(folder.resolve("one"));
                Fleet.Reader steps = fleet.read(Topic.CATALOG_STEP, Fleet.PARTITIONS);
                Fleet.Reader letters = fleet.read(Topic.DEAD_LETTER, Fleet.PARTITIONS)) {
            fleet.send(2, "key", Fleet.utf8("no json"));
            fleet.send(2, "key", Fleet.utf8("\"" + "x".repeat(900_000)));
            fleet.announce(2, "i", "coder", "s1");

            assertThat(steps.step("i", "s1").partition()).isEqualTo(2);
            List<ConsumerRecord<String, byte[]>> dead = letters.until(seen -> seen.size() == 2);
            assertThat(dead).extracting(record -> KafkaHeaders.text(record.headers(), WireHeaders.ORIGIN))
                    .containsExactlyInAnyOrder(fleet.name(Topic.STEP) + "/2/0", fleet.name(Topic.STEP) + "/2/1");
            assertThat(service.replacedThreads()).isZero();
        }
    }

    @Test
    void withoutTopicsTheStartFailsNamingThem(KafkaFixture kafka) {
        CatalogConfig config = new CatalogConfig("g", new Topics(kafka.topic("none.")), fleet.clientProperties(),
                folder, Duration.ofHours(1), -1, folder);

        assertThatThrownBy(() -> new CatalogService(config).start()).isInstanceOf(CatalogStartException.class)
                .hasMessageContaining(kafka.topic("none.") + "agent.step").hasMessageNotContaining("\n");
    }

    @Test
    void withoutABrokerTheStartFailsInTime() {
        CatalogConfig config = new CatalogConfig("g", new Topics(""), Map.of("bootstrap.servers", "localhost:1"),
                folder, Duration.ofHours(1), -1, folder);

        long before = System.nanoTime();
        assertThatThrownBy(() -> new CatalogService(config).start()).isInstanceOf(CatalogStartException.class)
                .hasMessageContaining("localhost:1").hasMessageNotContaining("\n");
        assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(CatalogService.START_TIMEOUT);
    }

    @Test
    void aFolderThatCannotBeUsedIsRefusedWithItsName() throws IOException {
        Path file = Files.createFile(folder.resolve("a-file"));
        assertThatThrownBy(() -> fleet.start(file)).isInstanceOf(CatalogStartException.class)
                .hasMessageContaining("a-file").hasMessageNotContaining("\n");

        try (CatalogService one = fleet.start(folder.resolve("same"))) {
            assertThatThrownBy(() -> fleet.start(folder.resolve("same"))).isInstanceOf(CatalogStartException.class)
                    .hasMessageContaining("same").hasMessageNotContaining("\n");
            assertThat(one.stopped()).isNotDone();
        }
    }

    private void announce(int instances, int from, int to) {
        for (int step = from; step < to; step++) {
            for (int instance = 0; instance < instances; instance++)
                fleet.announce(instance % Fleet.PARTITIONS, "i" + instance, "coder", "s" + step);
        }
    }
}
