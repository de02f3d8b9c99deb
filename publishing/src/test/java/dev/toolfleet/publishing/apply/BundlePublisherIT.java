package dev.toolfleet.publishing.apply;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import dev.toolfleet.client.topics.TopicScan;
import dev.toolfleet.embedded.junit.EmbeddedKafkaTest;
import dev.toolfleet.embedded.junit.KafkaFixture;
import dev.toolfleet.json.Json;
import dev.toolfleet.resources.BundleResources;
import dev.toolfleet.resources.ResourceTable;
import dev.toolfleet.resources.RevisionPlan;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.wire.ResourceRecord;
import dev.toolfleet.wire.WireCodec;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/// What stays on `tool.resource` when several apply, or one dies while it applies.
@EmbeddedKafkaTest
class BundlePublisherIT {
    private static final WireCodec<ResourceRecord> CODEC = WireCodec.of(ResourceRecord.class);

    private final KafkaFixture kafka;
    private final String topic;
    private final ResourceReader reader;
    private final BundlePublisher publisher;

    BundlePublisherIT(KafkaFixture kafka) {
        this.kafka = kafka;
        topic = kafka.create(Topic.RESOURCE.baseName(), 1, Topic.RESOURCE.config());
        Map<String, Object> client = Map.of("bootstrap.servers", kafka.bootstrapServers());
        reader = new ResourceReader(topic, client);
        publisher = new BundlePublisher(topic, client, InstantSource.system());
    }

    @Test
    void twoBundlesWithTheSameNamesNeverTouchEachOther() {
        publisher.publish("@a/one", List.of(tool("build", "a"), tool("extra", "a"), agent("lead")));
        publisher.publish("@b/two", List.of(tool("build", "b"), agent("coder")));
        publisher.publish("@a/one", List.of(tool("build", "a2"), agent("lead")));

        assertThat(shown("@a/one")).containsExactlyInAnyOrder("Tool/build=a2", "Agent/lead=");
        assertThat(shown("@b/two")).containsExactlyInAnyOrder("Tool/build=b", "Agent/coder=");
    }

    @Test
    void anAgentOfAnotherBundleIsRefusedAndNothingIsWritten() throws Exception {
        publisher.publish("@a/one", List.of(agent("coder")));
        long end = end();

        assertThatExceptionOfType(ApplyException.class)
                .isThrownBy(() -> publisher.publish("@b/two", List.of(tool("build", "b"), agent("coder"))))
                .withMessageContaining("@a/one").withMessageContaining("@b/two");

        assertThat(end()).isEqualTo(end);
        assertThat(shown("@b/two")).isEmpty();
    }

    @Test
    void aDryRunWritesNothing() throws Exception {
        publisher.publish("@a/one", List.of(tool("build", "a"), tool("old", "a")));
        long end = end();

        RevisionPlan plan = publisher.preview("@a/one", List.of(tool("build", "b"), tool("new", "a"))).plan();

        assertThat(plan.revision()).isEqualTo(2);
        assertThat(plan.pruned()).singleElement().asString().contains("Tool/old");
        assertThat(end()).isEqualTo(end);
        assertThat(publisher.publish("@a/one", List.of(tool("build", "a"), tool("old", "a"))).changes()).isFalse();
    }

    /// It dies after it has sent all of its revision, before the commit.
    @Test
    void whatAnApplyLeftUncommittedIsNothing() {
        publisher.publish("@a/one", List.of(tool("build", "first")));
        try (KafkaProducer<byte[], byte[]> dead = producer("@a/one")) {
            send(dead, RevisionPlan.of("@a/one", List.of(tool("build", "lost"), tool("lost", "lost")), reader.read()));
            assertThat(shown(reader.read(), "@a/one")).containsExactly("Tool/build=first");

            AppliedRevision applied = publisher.publish("@a/one", List.of(tool("build", "second")));

            assertThat(applied.revision()).isEqualTo(2);
            assertThat(shown("@a/one")).containsExactly("Tool/build=second");
            assertThatExceptionOfType(RuntimeException.class).as("the dead one is fenced")
                    .isThrownBy(dead::commitTransaction);
        }
        assertThat(shown("@a/one")).containsExactly("Tool/build=second");
    }

    /// A revision that lies behind somebody else's open transaction is committed, but no reader of committed records
    /// can see it yet.
    @Test
    void aRevisionBehindAnotherOnesOpenTransactionIsWaitedFor() throws Exception {
        publisher.publish("@b/two", List.of(tool("build", "first")));
        try (KafkaProducer<byte[], byte[]> slow = producer("@a/one");
                KafkaProducer<byte[], byte[]> other = producer("@b/two")) {
            send(slow, RevisionPlan.of("@a/one", List.of(tool("build", "a")), reader.read()));
            send(other, RevisionPlan.of("@b/two", List.of(tool("build", "second")), reader.read()));
            other.commitTransaction();

            CompletableFuture<ResourceTable> all = CompletableFuture.supplyAsync(reader::readToEnd);
            assertThat(shown(reader.read(), "@b/two")).containsExactly("Tool/build=first");
            assertThat(all).isNotDone();
            slow.abortTransaction();

            assertThat(all.get(60, TimeUnit.SECONDS).view().bundle("@b/two").map(BundleResources::revision))
                    .contains(2L);
        }
        assertThat(publisher.publish("@b/two", List.of(tool("build", "third"))).revision()).isEqualTo(3);
    }

    @Test
    void twoWhoApplyOneBundleAtOnceDoNotMix() {
        List<Set<String>> sets = List.of(Set.of("Tool/common=x", "Tool/x=x"), Set.of("Tool/common=y", "Tool/y=y"));
        List<CompletableFuture<Integer>> both = Stream.of("x", "y").map(team -> CompletableFuture.supplyAsync(() -> {
            int done = 0;
            for (int round = 0; round < 6; round++) {
                try {
                    publisher.publish("@a/one", List.of(tool("common", team), tool(team, team)));
                    done++;
                } catch (ApplyException e) {
                    assertThat(e).hasMessageContaining("apply it again");
                }
            }
            return done;
        })).toList();
        int done = both.stream().mapToInt(CompletableFuture::join).sum();

        assertThat(done).isPositive();
        assertThat(history("@a/one")).isNotEmpty().allSatisfy(shown -> assertThat(sets).contains(shown));
        assertThat(sets).contains(shown("@a/one"));
    }

    private KafkaProducer<byte[], byte[]> producer(String bundle) {
        Map<String, Object> config = kafka.producerProperties();
        config.put("transactional.id", topic + ".apply." + bundle);
        KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(config, new ByteArraySerializer(),
                new ByteArraySerializer());
        producer.initTransactions();
        return producer;
    }

    private void send(KafkaProducer<byte[], byte[]> producer, RevisionPlan plan) {
        producer.beginTransaction();
        for (RevisionPlan.Entry entry : plan.entries()) {
            ResourceRecord value = entry.value();
            var _ = producer.send(new ProducerRecord<>(topic, 0, entry.key().getBytes(StandardCharsets.UTF_8),
                    value == null ? null : CODEC.write(value)));
        }
        producer.flush();
    }

    /// A commit's marker comes after the commit, and moves the end.
    private long end() throws Exception {
        reader.readToEnd();
        TopicPartition partition = new TopicPartition(topic, 0);
        return kafka.admin().listOffsets(Map.of(partition, OffsetSpec.latest())).partitionResult(partition).get()
                .offset();
    }

    private Set<String> shown(String bundle) {
        return shown(reader.readToEnd(), bundle);
    }

    /// Everything that a reader from the beginning is shown of the bundle, in time.
    private List<Set<String>> history(String bundle) {
        ResourceTable table = new ResourceTable();
        List<Set<String>> history = new ArrayList<>();
        try (TopicScan scan = TopicScan.open(Map.of("bootstrap.servers", kafka.bootstrapServers()),
                Duration.ofSeconds(10), TopicScan.Gauge.SILENT)) {
            scan.read(scan.beginnings(List.of(new TopicPartition(topic, 0))), record -> {
                Optional<String> changed = table.apply(new String(record.key(), StandardCharsets.UTF_8),
                        record.value() == null ? null : CODEC.read(record.value()));
                if (changed.isPresent())
                    history.add(shown(table, bundle));
            });
        }
        return history;
    }

    private static Set<String> shown(ResourceTable table, String bundle) {
        Set<String> shown = new HashSet<>();
        table.view().bundle(bundle).ifPresent(resources -> resources.records().forEach((name, record) -> shown
                .add(name + "=" + record.resource().at("/spec/exports/0/description").asString(""))));
        return shown;
    }

    private static RevisionPlan.Declared tool(String name, String description) {
        ObjectNode tool = resource("Tool", name);
        tool.putObject("spec").put("entry", "java:a.A").putArray("exports").addObject().put("name", "run")
                .put("description", description);
        return new RevisionPlan.Declared(tool, Map.of());
    }

    private static RevisionPlan.Declared agent(String name) {
        ObjectNode agent = resource("Agent", name);
        agent.putObject("spec").putArray("tools");
        return new RevisionPlan.Declared(agent, Map.of());
    }

    private static ObjectNode resource(String kind, String name) {
        ObjectNode resource = Json.MAPPER.createObjectNode().put("apiVersion", "goondan.ai/v1").put("kind", kind);
        resource.putObject("metadata").put("name", name);
        return resource;
    }
}
