package dev.toolfleet.catalog.topology;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import dev.toolfleet.catalog.app.CatalogModules;
import dev.toolfleet.catalog.middleware.StepExtensions;
import dev.toolfleet.catalog.telemetry.StepFaults;
import dev.toolfleet.json.Json;
import dev.toolfleet.wire.ResultStatus;
import dev.toolfleet.wire.StepCatalog;
import dev.toolfleet.wire.StepEvent;
import dev.toolfleet.wire.StepStarted;
import dev.toolfleet.wire.ToolResult;
import dev.toolfleet.wire.WireCodec;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.streams.TestInputTopic;
import org.apache.kafka.streams.TestOutputTopic;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.test.TestRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

import static dev.toolfleet.catalog.Bundles.agent;
import static dev.toolfleet.catalog.Bundles.extension;
import static dev.toolfleet.catalog.Bundles.tool;
import static dev.toolfleet.catalog.Bundles.using;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

/// Tests of extensions' memories of results, with `tool-search`.
class MemoryTopologyTest {
    private static final WireCodec<StepEvent> EVENTS = WireCodec.of(StepEvent.class);
    private static final WireCodec<StepCatalog> CATALOGS = WireCodec.of(StepCatalog.class);
    private static final WireCodec<ToolResult> RESULTS = WireCodec.of(ToolResult.class);
    private static final String SEARCH = "tool-search__search";

    private final StepFaults faults = new StepFaults(InstantSource.system());
    private final Map<String, String> written = new HashMap<>();
    private int stepCount;
    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path stateDir;
    @SuppressWarnings("NullAway.Init")
    private DrivenTopology topology;
    @SuppressWarnings("NullAway.Init")
    private TestInputTopic<String, byte[]> steps;
    @SuppressWarnings("NullAway.Init")
    private TestInputTopic<String, byte[]> results;
    @SuppressWarnings("NullAway.Init")
    private TestOutputTopic<String, byte[]> catalogs;
    @SuppressWarnings("NullAway.Init")
    private TestOutputTopic<String, byte[]> contents;

    @BeforeEach
    void start() {
        StepExtensions extensions = new StepExtensions(CatalogModules.of(Path::of));
        topology = DrivenTopology.start(stateDir, "", extensions, faults);
        steps = topology.input("agent.step");
        results = topology.input("tool.result");
        catalogs = topology.output("tool.catalog.step");
        contents = topology.output("tool.catalog.content");
        topology.bundles().apply("acme", tool("tool-search", "search"), tool("t", "a", "b"),
                extension("tool-search", "builtin:tool-search"), searching("coder"), searching("writer"));
    }

    private static ObjectNode searching(String name) {
        return using(agent(name, "Tool/tool-search", "Tool/t"), "tool-search", config -> {});
    }

    @AfterEach
    void stop() {
        topology.close();
    }

    @Test
    void aStepWhoseProducerWroteNoTimeIsReadBehindTheResults() {
        ConsumerRecord<Object, Object> step = new ConsumerRecord<>("agent.step", 0, 0, ConsumerRecord.NO_TIMESTAMP,
                TimestampType.CREATE_TIME, 0, 0, "", "", new RecordHeaders(), Optional.empty());

        assertThat(MemoryProcessor.AFTER_RESULTS.extract(step, 0)).isPositive();
        assertThat(MemoryProcessor.BEFORE_STEPS.extract(step, 0)).isZero();
    }

    @Test
    void theNextStepShowsWhatTheSearchSelected() {
        assertThat(shown("i", "coder")).contains("t__a", "t__b");

        results.pipeInput("i", found("i", "coder", "t__a"));

        assertThat(shown("i", "coder")).contains(SEARCH, "t__a").doesNotContain("t__b");
    }

    @Test
    void otherInstancesAndAgentsHaveTheirOwnSelections() {
        shown("i", "coder");
        shown("j", "coder");
        shown("i", "writer");
        results.pipeInput("i", found("i", "coder", "t__a"));

        assertThat(shown("j", "coder")).contains("t__b");
        assertThat(shown("i", "writer")).contains("t__b");
        assertThat(shown("i", "coder")).doesNotContain("t__b");
    }

    @Test
    void onlyFirstFinalResultsOfTheSearchToolCount() {
        shown("i", "coder");
        results.pipeInput("i", result("i", "coder", "other__search", ResultStatus.OK, false, "t__a"));
        results.pipeInput("i", result("i", "coder", SEARCH, ResultStatus.ERROR, false, "t__a"));
        results.pipeInput("i", result("i", "coder", SEARCH, ResultStatus.PENDING, false, "t__a"));
        results.pipeInput("i", result("i", "coder", SEARCH, ResultStatus.OK, true, "t__a"));
        results.pipeInput("i", result("i", null, SEARCH, ResultStatus.OK, false, "t__a"));
        results.pipeInput(new TestRecord<>("i", null));
        results.pipeInput("i", "{\"toolName\":\"tool-search__search\"".getBytes(StandardCharsets.UTF_8));

        assertThat(shown("i", "coder")).contains("t__a", "t__b");
    }

    @Test
    void aResultOfAnInstanceWithoutStepsIsNotKept() {
        results.pipeInput("i", found("i", "coder", "t__a"));

        assertThat(memories().all().hasNext()).isFalse();
        assertThat(shown("i", "coder")).contains("t__b");
    }

    @Test
    void whatIsRememberedGoesWithTheStep() {
        shown("i", "coder");
        results.pipeInput("i", found("i", "coder", "t__a"));
        assertThat(memories().get("i/coder")).isNotNull();

        topology.driver().advanceWallClockTime(DrivenTopology.RETENTION.plusMinutes(2));
        assertThat(catalogs.readRecord().value()).isNull();
        assertThat(memories().get("i/coder")).isNull();
        assertThat(shown("i", "coder")).contains("t__b");
    }

    @Test
    void aMemoryThatWouldBeTooLargeIsNotKept() {
        shown("i", "coder");
        results.pipeInput("i", found("i", "coder", "t__a"));
        results.pipeInput("i", found("i", "coder", "x".repeat(MemoryProcessor.MAX_BYTES)));

        assertThat(shown("i", "coder")).contains("t__a").doesNotContain("t__b");
        assertThat(faults.counts()).containsKey("acme/tool-search");
    }

    @Test
    void resultsAreReadBeforeStepsWhateverTheClocksSay() {
        long longAgo = 1;

        assertThat(MemoryProcessor.BEFORE_STEPS.extract(new ConsumerRecord<>("tool.result", 0, 0, null, null), 5))
                .isLessThan(longAgo);
    }

    /// The content of the next step.
    private String shown(String instance, String agent) {
        steps.pipeInput(instance, EVENTS.write(
                new StepStarted(instance, agent, "t", "s" + stepCount++, null, null, null, null)));
        String digest = CATALOGS.read(catalogs.readRecord().value()).digest();
        contents.readRecordsToList().forEach(record -> written.put(record.key(), new String(record.value(),
                StandardCharsets.UTF_8)));
        return requireNonNull(written.get(digest));
    }

    private static byte[] found(String instance, String agent, String... names) {
        return result(instance, agent, SEARCH, ResultStatus.OK, false, names);
    }

    private static byte[] result(String instance, @Nullable String agent, String tool, ResultStatus status,
            boolean replayed, String... names) {
        ObjectNode output = Json.MAPPER.createObjectNode().put("query", "any");
        ArrayNode selected = output.putArray("selectedTools");
        List.of(names).forEach(selected::add);
        return RESULTS.write(new ToolResult("c", tool, status, output, null, null, instance, agent, "t", null, 1,
                replayed, null, 0, null, null));
    }

    private KeyValueStore<String, byte[]> memories() {
        return topology.driver().getKeyValueStore(MemoryStore.NAME);
    }
}
