package dev.toolfleet.catalog.topology;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;

import dev.toolfleet.catalog.Bundles;
import dev.toolfleet.catalog.assemble.StepPolicy;
import dev.toolfleet.catalog.middleware.StepExtensions;
import dev.toolfleet.catalog.telemetry.StepFaults;
import dev.toolfleet.resources.ResourceTable;
import dev.toolfleet.streams.StreamsSettings;
import dev.toolfleet.topic.Topics;
import dev.toolfleet.wire.ResourceRecord;
import dev.toolfleet.wire.WireCodec;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.apache.kafka.streams.TestInputTopic;
import org.apache.kafka.streams.TestOutputTopic;
import org.apache.kafka.streams.TopologyTestDriver;
import org.apache.kafka.streams.test.TestRecord;

/// The catalog topology without a broker: its driver and topics, and the bundles that a test applies.
///
/// @param prefix of the topics
record DrivenTopology(TopologyTestDriver driver, String prefix) implements AutoCloseable {
    static final Duration RETENTION = Duration.ofHours(24);
    static final Instant START = Instant.parse("2026-11-21T20:00:00Z");
    private static final WireCodec<ResourceRecord> RESOURCES = WireCodec.of(ResourceRecord.class);

    static DrivenTopology start(Path stateDir, String prefix, StepExtensions extensions, StepFaults faults) {
        return start(stateDir, prefix, extensions, StepPolicy.ALLOW_ALL, faults);
    }

    static DrivenTopology start(Path stateDir, String prefix, StepExtensions extensions, StepPolicy policy,
            StepFaults faults) {
        StreamsSettings settings = new StreamsSettings("test", stateDir, -1, Map.of("bootstrap.servers", "none:1"));
        return new DrivenTopology(new TopologyTestDriver(CatalogTopology.of(new Topics(prefix), new ResourceTable(),
                extensions::reload, extensions, policy, faults, RETENTION), settings.properties(),
                START), prefix);
    }

    TestInputTopic<String, byte[]> input(String topic) {
        return driver.createInputTopic(prefix + topic, new StringSerializer(), new ByteArraySerializer());
    }

    TestOutputTopic<String, byte[]> output(String topic) {
        return driver.createOutputTopic(prefix + topic, new StringDeserializer(), new ByteArrayDeserializer());
    }

    /// Returns bundles that are applied to `tool.resource`.
    Bundles bundles() {
        TestInputTopic<String, byte[]> resources = input("tool.resource");
        return new Bundles(entries -> entries.forEach(entry -> resources.pipeInput(new TestRecord<>(entry.key(),
                entry.value() == null ? null : RESOURCES.write(entry.value())))));
    }

    @Override
    public void close() {
        driver.close();
    }
}
