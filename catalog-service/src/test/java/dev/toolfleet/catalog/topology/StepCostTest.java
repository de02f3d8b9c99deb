package dev.toolfleet.catalog.topology;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import dev.toolfleet.catalog.Bundles;
import dev.toolfleet.catalog.TypicalAgent;
import dev.toolfleet.catalog.app.CatalogModules;
import dev.toolfleet.catalog.assemble.StepPolicy;
import dev.toolfleet.catalog.middleware.StepExtensions;
import dev.toolfleet.catalog.telemetry.StepFaults;
import dev.toolfleet.resources.FleetResources;
import dev.toolfleet.resources.ResourceTable;
import dev.toolfleet.streams.StreamsSettings;
import dev.toolfleet.topic.Topics;
import dev.toolfleet.wire.ResourceRecord;
import dev.toolfleet.wire.StepCatalog;
import dev.toolfleet.wire.StepEvent;
import dev.toolfleet.wire.StepStarted;
import dev.toolfleet.wire.WireCodec;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.TestInputTopic;
import org.apache.kafka.streams.TestOutputTopic;
import org.apache.kafka.streams.TopologyTestDriver;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/// Cost of a typical agent's steps on the topics.
class StepCostTest {
    private static final Duration RETENTION = Duration.ofHours(24);
    private static final WireCodec<StepEvent> EVENTS = WireCodec.of(StepEvent.class);
    private static final WireCodec<StepCatalog> CATALOGS = WireCodec.of(StepCatalog.class);
    private static final WireCodec<ResourceRecord> RESOURCES = WireCodec.of(ResourceRecord.class);

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path stateDir;
    @SuppressWarnings("NullAway.Init")
    private TopologyTestDriver driver;
    @SuppressWarnings("NullAway.Init")
    private TestInputTopic<String, byte[]> steps;
    @SuppressWarnings("NullAway.Init")
    private TestOutputTopic<String, byte[]> catalogs;
    @SuppressWarnings("NullAway.Init")
    private TestOutputTopic<String, byte[]> contents;
    @SuppressWarnings("NullAway.Init")
    private Bundles bundles;

    @BeforeEach
    void start() {
        StepExtensions extensions = new StepExtensions(CatalogModules.of(Path::of));
        StreamsSettings settings = new StreamsSettings("test", stateDir, -1, Map.of("bootstrap.servers", "none:1"));
        driver = new TopologyTestDriver(CatalogTopology.of(new Topics(""), new ResourceTable(),
                extensions::reload, extensions, StepPolicy.ALLOW_ALL,
                new StepFaults(InstantSource.system()),
                RETENTION),
                settings.properties(), Instant.parse("2026-11-21T20:00:00Z"));
        steps = driver.createInputTopic("agent.step", new StringSerializer(), new ByteArraySerializer());
        catalogs = driver.createOutputTopic("tool.catalog.step", new StringDeserializer(),
                new ByteArrayDeserializer());
        contents = driver.createOutputTopic("tool.catalog.content", new StringDeserializer(),
                new ByteArrayDeserializer());
        TestInputTopic<String, ResourceRecord> resources = driver.createInputTopic("tool.resource",
                new StringSerializer(), (topic, record) -> RESOURCES.write(record));
        bundles = new Bundles(entries -> entries.forEach(entry -> resources.pipeInput(entry.key(), entry.value())))
                .apply(FleetResources.BUILT_IN, Bundles.tool("bash", "exec"));
    }

    @AfterEach
    void stop() {
        driver.close();
    }

    @Test
    void contentIsWrittenOnlyWhenItChanged() {
        bundles.apply("acme", TypicalAgent.resources("one"));
        for (int i = 0; i < 100; i++)
            announce("instance-" + i, "s1");
        bundles.apply("acme", TypicalAgent.resources("one"));
        for (int i = 0; i < 100; i++)
            announce("instance-" + i, "s2");
        assertThat(contents.readKeyValuesToList()).as("a revision that changes nothing").hasSize(1);

        bundles.apply("acme", TypicalAgent.resources("two"));
        for (int i = 0; i < 100; i++)
            announce("instance-" + i, "s3");
        assertThat(contents.readKeyValuesToList()).hasSize(1);
    }

    /// Compaction keeps the newest record of each key, unless it is a tombstone. `StepCostIT` lets a broker do it with
    /// a hundred thousand steps.
    @Test
    void stepsLeaveOneLiveRecordForEachInstanceAndAgentAndNoneAfterTheRetention() {
        int instances = 200;
        bundles.apply("acme", TypicalAgent.resources("one"));
        Map<String, byte[]> live = new HashMap<>();
        for (int step = 0; step < 10; step++) {
            for (int instance = 0; instance < instances; instance++)
                announce("instance-" + instance, "s" + step);
            compact(catalogs.readKeyValuesToList(), live);
        }

        assertThat(live).hasSize(instances);
        assertThat(live.values()).extracting(value -> CATALOGS.read(value).stepId()).containsOnly("s9");

        driver.advanceWallClockTime(RETENTION.plusMinutes(2));
        compact(catalogs.readKeyValuesToList(), live);
        assertThat(live).isEmpty();
    }

    private static void compact(List<KeyValue<String, byte[]>> records, Map<String, byte[]> live) {
        for (KeyValue<String, byte[]> record : records) {
            if (record.value == null)
                live.remove(record.key);
            else
                live.put(record.key, record.value);
        }
    }

    private void announce(String instance, String step) {
        steps.pipeInput(instance,
                EVENTS.write(new StepStarted(instance, TypicalAgent.NAME, "turn-" + step, step, 1, null, null, null)));
    }
}
