package dev.toolfleet.catalog.app;

import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

import dev.toolfleet.catalog.Bundles;
import dev.toolfleet.catalog.TypicalAgent;
import dev.toolfleet.embedded.junit.EmbeddedKafkaTest;
import dev.toolfleet.embedded.junit.KafkaFixture;
import dev.toolfleet.resources.FleetResources;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.wire.StepCatalog;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.ReplicaInfo;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/// Cost of a typical agent's steps on a broker.
@EmbeddedKafkaTest
class StepCostIT {
    private static final int MOST_BYTES = 1_500;

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
        fleet.bundles().apply(FleetResources.BUILT_IN, Bundles.tool("bash", "exec"));
        fleet.bundles().apply("acme-research", TypicalAgent.resources("one"));
    }

    @AfterEach
    void close() {
        fleet.close();
    }

    /// With the seven steps before it, realistic ids, and a batch and a commit of its own.
    @Test
    void aStepOfATypicalAgentCostsLessThanOneAndAHalfKilobytes() throws Exception {
        int steps = 20;
        try (CatalogService service = fleet.start(folder);
                Fleet.Reader answers = fleet.read(Topic.CATALOG_STEP, Fleet.PARTITIONS)) {
            for (int i = 0; i < StepCatalog.RECENT; i++)
                step(answers);
            long before = bytes(Topic.CATALOG_STEP);
            StepCatalog last = step(answers);
            for (int i = 1; i < steps; i++)
                last = step(answers);

            assertThat(last.recent()).hasSize(StepCatalog.RECENT);
            assertThat(last.revisions()).containsOnlyKeys(FleetResources.BUILT_IN);
            assertThat((bytes(Topic.CATALOG_STEP) - before) / steps).isBetween(200L, (long) MOST_BYTES);
            try (Fleet.Reader contents = fleet.read(Topic.CATALOG_CONTENT, 1)) {
                List<ConsumerRecord<String, byte[]>> all = contents.until(seen -> !seen.isEmpty());
                assertThat(all).hasSize(1);
                assertThat(all.getFirst().value().length).isGreaterThan(40 * 1024);
            }
            assertThat(service.replacedThreads()).isZero();
        }
    }

    @Test
    @Tag("slow")
    void aHundredThousandStepsLeaveOneRecordForEachInstanceAndAgentAfterCompaction() throws Exception {
        int instances = 10_000;
        int stepsEach = 10;
        compactSoon();
        try (CatalogService service = fleet.start(folder);
                Fleet.Reader answers = fleet.read(Topic.CATALOG_STEP, Fleet.PARTITIONS)) {
            for (int step = 0; step < stepsEach; step++) {
                for (int instance = 0; instance < instances; instance++)
                    fleet.announce(instance % Fleet.PARTITIONS, "instance-" + instance, TypicalAgent.NAME, "s" + step);
            }
            answers.pass(instances * stepsEach, Duration.ofMinutes(5));
            assertThat(service.replacedThreads()).isZero();
        }
        Awaitility.await().atMost(Duration.ofMinutes(5)).pollInterval(Duration.ofMillis(500)).until(() -> {
            // A segment is compacted when another one is active, which begins a second after its first record.
            for (int partition = 0; partition < Fleet.PARTITIONS; partition++)
                fleet.send(Topic.CATALOG_STEP, partition, "end", Fleet.utf8("{}"));
            Map<String, Integer> records = new HashMap<>();
            fleet.all(Topic.CATALOG_STEP).forEach(record -> records.merge(record.key(), 1, Integer::sum));
            records.remove("end");
            assertThat(records).hasSize(instances);
            return records.values().stream().allMatch(count -> count == 1);
        });
        assertThat(fleet.all(Topic.CATALOG_STEP)).filteredOn(record -> !record.key().equals("end"))
                .allSatisfy(record -> assertThat(Fleet.catalog(record).stepId()).isEqualTo("s" + (stepsEach - 1)));
    }

    private StepCatalog step(Fleet.Reader answers) {
        String turn = UUID.randomUUID().toString();
        String step = turn + "-step-1";
        fleet.announce(0, "telegram:1234567890", TypicalAgent.NAME, turn, step);
        return Fleet.catalog(answers.step("telegram:1234567890", step));
    }

    private void compactSoon() throws Exception {
        ConfigResource topic = new ConfigResource(ConfigResource.Type.TOPIC, fleet.name(Topic.CATALOG_STEP));
        List<AlterConfigOp> settings = Map.of("segment.ms", "1000", "min.cleanable.dirty.ratio", "0").entrySet()
                .stream().map(setting -> new AlterConfigOp(new ConfigEntry(setting.getKey(), setting.getValue()),
                        AlterConfigOp.OpType.SET))
                .toList();
        kafka.admin().incrementalAlterConfigs(Map.of(topic, settings)).all().get(60, TimeUnit.SECONDS);
    }

    private long bytes(Topic topic) throws Exception {
        List<Integer> nodes = kafka.admin().describeCluster().nodes().get(60, TimeUnit.SECONDS).stream()
                .map(node -> node.id()).toList();
        long bytes = 0;
        for (var folders : kafka.admin().describeLogDirs(nodes).allDescriptions().get(60, TimeUnit.SECONDS).values()) {
            for (var described : folders.values()) {
                @Nullable
                ReplicaInfo log = described.replicaInfos()
                        .get(new TopicPartition(fleet.name(topic), 0));
                bytes += log == null ? 0 : log.size();
            }
        }
        return bytes;
    }
}
