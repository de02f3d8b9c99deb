package dev.toolfleet.catalog.topology;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;

import dev.toolfleet.catalog.Bundles;
import dev.toolfleet.catalog.app.CatalogModules;
import dev.toolfleet.catalog.middleware.StepExtensions;
import dev.toolfleet.catalog.telemetry.StepFaults;
import dev.toolfleet.client.topics.KafkaHeaders;
import dev.toolfleet.resources.Registration;
import dev.toolfleet.resources.RegistrationOwner;
import dev.toolfleet.topic.WireHeaders;
import dev.toolfleet.wire.RecentStep;
import dev.toolfleet.wire.StepCatalog;
import dev.toolfleet.wire.StepEnded;
import dev.toolfleet.wire.StepEvent;
import dev.toolfleet.wire.StepStarted;
import dev.toolfleet.wire.WireCodec;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.streams.TestInputTopic;
import org.apache.kafka.streams.TestOutputTopic;
import org.apache.kafka.streams.test.TestRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.node.ObjectNode;

import static dev.toolfleet.catalog.Bundles.agent;
import static dev.toolfleet.catalog.Bundles.tool;
import static org.assertj.core.api.Assertions.assertThat;

class CatalogTopologyTest {
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
    private TestOutputTopic<String, byte[]> deadLetters;
    @SuppressWarnings("NullAway.Init")
    private Bundles bundles;

    @BeforeEach
    void start() {
        StepExtensions extensions = new StepExtensions(CatalogModules.of(Path::of));
        topology = DrivenTopology.start(stateDir, "p.", extensions, new StepFaults(InstantSource.system()));
        steps = topology.input("agent.step");
        catalogs = topology.output("tool.catalog.step");
        contents = topology.output("tool.catalog.content");
        deadLetters = topology.output("tool.dead-letter");
        bundles = topology.bundles();
    }

    @AfterEach
    void stop() {
        topology.close();
    }

    @Test
    void aStepIsAnsweredWithItsCatalogAndItsContent() {
        bundles.apply("acme", tool("a", "z"), agent("coder", "Tool/a"));

        StepCatalog catalog = announce("s1");

        assertThat(catalog.bundle()).isEqualTo("acme");
        assertThat(catalog.revision()).isEqualTo(1);
        assertThat(catalog.stepIndex()).isEqualTo(3);
        TestRecord<String, byte[]> content = contents.readRecord();
        assertThat(content.key()).isEqualTo(catalog.digest());
        assertThat(new String(content.value(), StandardCharsets.UTF_8)).contains("\"a__z\"");
    }

    @Test
    void aStepNamesTheRevisionsOfOtherBundlesOnlyIfItsAgentListsTheirTools() {
        bundles.apply("@toolfleet/base", tool("bash", "exec"));
        bundles.apply("acme", tool("a", "z"), agent("coder", "Tool/a"));
        assertThat(announce("s1").revisions()).isNull();

        bundles.apply("acme", tool("a", "z"), agent("coder", "Tool/a", "Tool/bash"));
        assertThat(announce("s2").revisions()).isEqualTo(Map.of("@toolfleet/base", 1L));
        bundles.apply("@toolfleet/base", tool("bash", "exec", "script"));
        assertThat(announce("s3").revisions()).isEqualTo(Map.of("@toolfleet/base", 2L));
    }

    @Test
    void aRegisteredToolIsShownFromTheNextStepOnUntilItsLeaseEnds() {
        ObjectNode coder = agent("coder", "Tool/a");
        coder.withObject("spec").putArray("extensions").add("Extension/weather");
        bundles.apply("acme", tool("a", "z"), coder, Bundles.extension("weather", "builtin:logging"));
        String before = announce("s1").digest();

        bundles.register(RegistrationOwner.extension("acme", "coder", "weather"), DrivenTopology.START,
                DrivenTopology.START.plusSeconds(30),
                "sky__look");
        assertThat(announce("s2").digest()).isNotEqualTo(before);
        assertThat(contents.readKeyValuesToList().getLast().value).asString(StandardCharsets.UTF_8)
                .contains("\"a__z\"", "\"sky__look\"", "\"extension\"");

        topology.driver().advanceWallClockTime(Duration.ofSeconds(30).plus(Registration.CLOCK_SKEW).plusMillis(1));
        assertThat(announce("s3").digest()).isEqualTo(before);
    }

    @Test
    void aContentIsWrittenOnceForManySteps() {
        bundles.apply("acme", tool("a", "z"), agent("coder", "Tool/a"));

        announce("s1");
        announce("s2");
        assertThat(contents.readKeyValuesToList()).hasSize(1);

        topology.driver().advanceWallClockTime(CatalogTopology.CONTENT_AGAIN_AFTER);
        announce("s3");
        assertThat(contents.readKeyValuesToList()).hasSize(1);
    }

    @Test
    void earlierStepsAreRememberedAndARepeatedOneIsNotDoubled() {
        announce("s1");
        announce("s2");
        StepCatalog third = announce("s3");
        StepCatalog again = announce("s3");

        assertThat(third.recent()).extracting(RecentStep::stepId).containsExactly("s2", "s1");
        assertThat(again.recent()).isEqualTo(third.recent());
    }

    @Test
    void instancesAndAgentsHaveTheirOwnSteps() {
        announce("s1");
        steps.pipeInput("i", EVENTS.write(new StepStarted("i", "other", "t", "s9", 3, null, null, null)));

        StepCatalog other = CATALOGS.read(catalogs.readRecord().value());
        assertThat(other.recent()).isEmpty();
    }

    @Test
    void aRevisionThatBecomesActiveBetweenStepsShowsInTheNext() {
        bundles.apply("acme", tool("a", "z"), agent("coder", "Tool/a"));
        StepCatalog before = announce("s1");
        bundles.apply("acme", tool("b", "y"), agent("coder", "Tool/b"));
        StepCatalog after = announce("s2");

        assertThat(after.revision()).isEqualTo(2);
        assertThat(after.digest()).isNotEqualTo(before.digest());
        assertThat(after.recent()).containsExactly(new RecentStep("t", "s1", before.digest()));
        assertThat(contents.readKeyValuesToList()).extracting(content -> content.key).containsExactly(before.digest(),
                after.digest());
    }

    @Test
    void anEndedStepIsPublishedOnceMore() {
        announce("s1");

        steps.pipeInput("i", EVENTS.write(new StepEnded("i", "coder", "t", "s1", 3)));
        assertThat(CATALOGS.read(catalogs.readRecord().value()).ended()).isTrue();

        steps.pipeInput("i", EVENTS.write(new StepEnded("i", "coder", "t", "s1", 3)));
        steps.pipeInput("i", EVENTS.write(new StepEnded("i", "unknown", "t", "s1", 3)));
        assertThat(catalogs.isEmpty()).isTrue();
        assertThat(deadLetters.isEmpty()).isTrue();
    }

    @Test
    void anUntouchedStepIsRemovedAfterTheRetention() {
        announce("s1");
        topology.driver().advanceWallClockTime(DrivenTopology.RETENTION.minusMinutes(2));
        assertThat(catalogs.isEmpty()).isTrue();

        steps.pipeInput("j", EVENTS.write(new StepStarted("j", "coder", "t", "s1", 1, null, null, null)));
        catalogs.readRecord();
        topology.driver().advanceWallClockTime(Duration.ofMinutes(3));

        TestRecord<String, byte[]> tombstone = catalogs.readRecord();
        assertThat(tombstone.key()).isEqualTo("i/coder");
        assertThat(tombstone.value()).isNull();
        assertThat(catalogs.isEmpty()).isTrue();
        assertThat(announce("s2").recent()).isEmpty();
    }

    @Test
    void manyUntouchedStepsAreRemovedInBoundedPieces() {
        int count = 2 * Retention.PER_RUN + 500;
        for (int i = 0; i < count; i++)
            steps.pipeInput("i" + i, EVENTS.write(new StepStarted("i" + i, "coder", "t", "s", 1, null, null, null)));
        assertThat(catalogs.readKeyValuesToList()).hasSize(count);

        topology.driver().advanceWallClockTime(DrivenTopology.RETENTION.plusMinutes(1));
        assertThat(catalogs.readKeyValuesToList()).hasSize(Retention.PER_RUN);
        topology.driver().advanceWallClockTime(Duration.ofSeconds(1));
        assertThat(catalogs.readKeyValuesToList()).hasSize(Retention.PER_RUN);
        topology.driver().advanceWallClockTime(Duration.ofSeconds(1));
        assertThat(catalogs.readKeyValuesToList()).hasSize(500);
    }

    @Test
    void whatCannotBeAnsweredIsADeadLetterAndTheNextStepIsAnswered() {
        String tooLong = "k".repeat(StepDecoder.MAX_NAME_LENGTH + 1);
        List<byte[]> bad = List.of("no json".getBytes(StandardCharsets.UTF_8),
                "{\"type\":\"paused\",\"instanceKey\":\"i\"}".getBytes(StandardCharsets.UTF_8),
                "{\"type\":\"started\",\"instanceKey\":\"i\"}".getBytes(StandardCharsets.UTF_8),
                "[]".getBytes(StandardCharsets.UTF_8),
                EVENTS.write(new StepStarted(tooLong, "coder", "t", "s", 1, null, null, null)),
                EVENTS.write(new StepStarted("i", "a/b", "t", "s", 1, null, null, null)));

        for (byte[] value : bad)
            steps.pipeInput("key", value);

        List<TestRecord<String, byte[]>> letters = deadLetters.readRecordsToList();
        assertThat(letters).hasSize(bad.size());
        for (int i = 0; i < bad.size(); i++) {
            Headers headers = letters.get(i).headers();
            assertThat(letters.get(i).key()).isEqualTo("key");
            assertThat(letters.get(i).value()).isEqualTo(bad.get(i));
            assertThat(KafkaHeaders.text(headers, WireHeaders.ORIGIN)).isEqualTo("p.agent.step/0/" + i);
            assertThat(KafkaHeaders.text(headers, WireHeaders.REASON)).startsWith("malformed: ");
        }
        assertThat(catalogs.isEmpty()).isTrue();
        assertThat(announce("s1").digest()).startsWith("sha256:");
    }

    @Test
    void anEmptyRecordIsADeadLetterToo() {
        steps.pipeInput(new TestRecord<>("key", null));

        assertThat(deadLetters.readRecord().value()).isNull();
    }

    @Test
    void anUnknownAgentGetsAnEmptyCatalog() {
        StepCatalog catalog = announce("s1");

        assertThat(catalog.bundle()).isEmpty();
        assertThat(contents.readRecord().value()).isEqualTo("[]".getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void traceAndCloudEventHeadersTravelAlong() {
        String trace = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
        steps.pipeInput(new TestRecord<>("i", EVENTS.write(started("s1")),
                KafkaHeaders.of(Map.of(WireHeaders.TRACEPARENT, trace))));

        Headers headers = catalogs.readRecord().headers();
        assertThat(KafkaHeaders.text(headers, WireHeaders.TRACEPARENT)).isEqualTo(trace);
        assertThat(KafkaHeaders.text(headers, "ce_type")).isEqualTo("dev.toolfleet.tool.catalog.step.v1");
    }

    private StepCatalog announce(String id) {
        steps.pipeInput("i", EVENTS.write(started(id)));
        TestRecord<String, byte[]> record = catalogs.readRecord();
        assertThat(record.key()).isEqualTo("i/coder");
        StepCatalog catalog = CATALOGS.read(record.value());
        assertThat(catalog.stepId()).isEqualTo(id);
        return catalog;
    }

    private static StepStarted started(String id) {
        return new StepStarted("i", "coder", "t", id, 3, null, null, null);
    }
}
