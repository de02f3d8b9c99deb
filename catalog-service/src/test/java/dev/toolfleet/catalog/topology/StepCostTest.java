package dev.toolfleet.catalog.topology;

import java.nio.file.Path;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import dev.toolfleet.catalog.Bundles;
import dev.toolfleet.catalog.TypicalAgent;
import dev.toolfleet.catalog.app.CatalogModules;
import dev.toolfleet.catalog.middleware.StepExtensions;
import dev.toolfleet.catalog.telemetry.StepFaults;
import dev.toolfleet.resources.FleetResources;
import dev.toolfleet.wire.StepCatalog;
import dev.toolfleet.wire.StepEvent;
import dev.toolfleet.wire.StepStarted;
import dev.toolfleet.wire.WireCodec;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.TestInputTopic;
import org.apache.kafka.streams.TestOutputTopic;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/// Cost of a typical agent's steps on the topics.
class StepCostTest {
    private static final WireCodec<StepEvent> EVENTS = WireCodec.of(StepEvent.class);
    private static final WireCodec<StepCatalog> CATALOGS = WireCodec.of(StepCatalog.class);

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path stateDir;
    @SuppressWarnings("NullAway.Init")
    private DrivenTopology topology;
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
        topology = DrivenTopology.start(stateDir, "", extensions, new StepFaults(InstantSource.system()));
        steps = topology.input("agent.step");
        catalogs = topology.output("tool.catalog.step");
        contents = topology.output("tool.catalog.content");
        bundles = topology.bundles().apply(FleetResources.BUILT_IN, Bundles.tool("bash", "exec"));
    }

    @AfterEach
    void stop() {
        topology.close();
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

        topology.driver().advanceWallClockTime(DrivenTopology.RETENTION.plusMinutes(2));
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
