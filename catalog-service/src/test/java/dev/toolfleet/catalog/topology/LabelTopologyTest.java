package dev.toolfleet.catalog.topology;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import dev.toolfleet.catalog.app.CatalogModules;
import dev.toolfleet.catalog.assemble.BundlePolicy;
import dev.toolfleet.catalog.middleware.StepExtensions;
import dev.toolfleet.catalog.telemetry.StepFaults;
import dev.toolfleet.wire.AddedLabel;
import dev.toolfleet.wire.InstanceLabel;
import dev.toolfleet.wire.LabelOrder;
import dev.toolfleet.wire.StepCatalog;
import dev.toolfleet.wire.StepEvent;
import dev.toolfleet.wire.StepStarted;
import dev.toolfleet.wire.WireCodec;
import org.apache.kafka.streams.TestInputTopic;
import org.apache.kafka.streams.TestOutputTopic;
import org.apache.kafka.streams.test.TestRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static dev.toolfleet.catalog.Bundles.agent;
import static dev.toolfleet.catalog.Bundles.policy;
import static dev.toolfleet.catalog.Bundles.tool;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

/// Catalogs under a rule that denies `t__send` once the instance has both labels.
class LabelTopologyTest {
    private static final WireCodec<StepEvent> EVENTS = WireCodec.of(StepEvent.class);
    private static final WireCodec<StepCatalog> CATALOGS = WireCodec.of(StepCatalog.class);
    private static final WireCodec<InstanceLabel> LABELS = WireCodec.of(InstanceLabel.class);
    private static final WireCodec<LabelOrder> ORDERS = WireCodec.of(LabelOrder.class);
    private static final String UNTRUSTED = InstanceLabel.UNTRUSTED;
    private static final String SENSITIVE = InstanceLabel.SENSITIVE;

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
    private TestInputTopic<String, byte[]> journal;
    @SuppressWarnings("NullAway.Init")
    private TestInputTopic<String, byte[]> operators;
    @SuppressWarnings("NullAway.Init")
    private TestOutputTopic<String, byte[]> catalogs;
    @SuppressWarnings("NullAway.Init")
    private TestOutputTopic<String, byte[]> contents;

    @BeforeEach
    void start() {
        topology = DrivenTopology.start(stateDir, "", new StepExtensions(CatalogModules.of(Path::of)),
                new BundlePolicy(), new StepFaults(InstantSource.system()));
        steps = topology.input("agent.step");
        journal = topology.input("tool.journal");
        operators = topology.input("tool.operator");
        catalogs = topology.output("tool.catalog.step");
        contents = topology.output("tool.catalog.content");
        topology.bundles().apply("acme", tool("t", "read", "send"), agent("coder", "Tool/t"),
                policy("{\"tool\": \"t__send\", \"verdict\": \"deny\","
                        + " \"when\": {\"labels\": {\"all\": [\"untrusted\", \"sensitive\"]}}}"));
    }

    @AfterEach
    void stop() {
        topology.close();
    }

    @Test
    void theNextStepHidesWhatBothLabelsDeny() {
        assertThat(shown("i")).contains("t__read", "t__send");
        labelled("i", UNTRUSTED, 1);
        assertThat(shown("i")).as("one label").contains("t__send");

        labelled("i", SENSITIVE, 2);

        assertThat(shown("i")).contains("t__read").doesNotContain("t__send");
        assertThat(shown("j")).as("another instance").contains("t__send");
    }

    @Test
    void anInstanceWhoseKeyHasSlashesHasItsOwnLabels() {
        labelled("agents/sub/1", UNTRUSTED, 1);
        labelled("agents/sub/1", SENSITIVE, 2);

        assertThat(shown("agents/sub/1")).doesNotContain("t__send");
    }

    @Test
    void anOrderToClearCountsAtOnceAndALaterResultBringsTheLabelBack() {
        labelled("i", UNTRUSTED, 1);
        labelled("i", SENSITIVE, 2);
        clear("i", 1, List.of(UNTRUSTED));
        assertThat(shown("i")).contains("t__send");

        labelled("i", UNTRUSTED, 3);

        assertThat(shown("i")).doesNotContain("t__send");
    }

    @Test
    void anOrderClearsNoLabelThatCameAfterItAndNoneThatItDoesNotName() {
        labelled("i", UNTRUSTED, 3);
        labelled("i", SENSITIVE, 4);
        clear("i", 2, null);
        clear("i", 4, List.of("hr-data"));
        clear("j", 4, null);

        assertThat(shown("i")).doesNotContain("t__send");
        clear("i", 4, null);
        assertThat(shown("i")).contains("t__send");
    }

    @Test
    void anOrderHoldsForItsTime() {
        labelled("i", UNTRUSTED, 1);
        labelled("i", SENSITIVE, 2);
        LabelOrder order = new LabelOrder("i", LabelOrder.CLEAR, 2, null, "ann", null);
        operators.pipeInput("i", ORDERS.write(order),
                Instant.now().minus(LabelOrder.HOLDS).minusSeconds(1));
        assertThat(shown("i")).doesNotContain("t__send");

        operators.pipeInput("i", ORDERS.write(order), Instant.now());
        assertThat(shown("i")).contains("t__send");
    }

    @Test
    void theEndOfAnEntryEndsItsLabel() {
        labelled("i", UNTRUSTED, 1);
        labelled("i", SENSITIVE, 2);
        journal.pipeInput(new TestRecord<>(InstanceLabel.key("i", UNTRUSTED + "/1"), null));
        assertThat(shown("i")).contains("t__send");

        journal.pipeInput(new TestRecord<>(InstanceLabel.key("i", SENSITIVE + "/2"), null));
        assertThat(topology.driver().getKeyValueStore(LabelStore.NAME).get("i")).isNull();
    }

    @Test
    void anEntryThatIsNotedAsClearedEndsItsLabel() {
        labelled("i", UNTRUSTED, 1);
        labelled("i", SENSITIVE, 2);
        InstanceLabel cleared = new InstanceLabel("i", 1, 1, new AddedLabel(UNTRUSTED, "t__read", "c1", 1, "i"))
                .clearedAt(Instant.EPOCH);
        journal.pipeInput(cleared.key(), LABELS.write(cleared));

        assertThat(shown("i")).contains("t__send");
    }

    @Test
    void otherRecordsOfBothTopicsAreSkipped() {
        labelled("i", UNTRUSTED, 1);
        labelled("i", SENSITIVE, 2);
        byte[] broken = "{".getBytes(StandardCharsets.UTF_8);
        journal.pipeInput("[\"i\",\"coder\",\"t\",\"c\"]", broken);
        journal.pipeInput(new TestRecord<>("[\"i\",\"coder\",\"t\",\"c\"]", null));
        journal.pipeInput("@frontier", broken);
        journal.pipeInput(InstanceLabel.key("i", "hr-data/1"), broken);
        operators.pipeInput("i", "{\"instanceKey\": \"i\", \"order\": \"skip\"}".getBytes(StandardCharsets.UTF_8));
        operators.pipeInput("i", "{\"order\": \"clear-labels\"}".getBytes(StandardCharsets.UTF_8));

        assertThat(shown("i")).doesNotContain("t__send");
    }

    private void labelled(String instance, String label, long count) {
        InstanceLabel entry = new InstanceLabel(instance, count, count,
                new AddedLabel(label, "t__read", "c" + count, count, instance));
        journal.pipeInput(entry.key(), LABELS.write(entry));
    }

    private void clear(String instance, long upTo, @Nullable List<String> labels) {
        operators.pipeInput(instance,
                ORDERS.write(new LabelOrder(instance, LabelOrder.CLEAR, upTo, labels, "ann", null)),
                Instant.now());
    }

    /// The content of the next step.
    private String shown(String instance) {
        steps.pipeInput(instance, EVENTS.write(
                new StepStarted(instance, "coder", "t", "s" + stepCount++, null, null, null, null)));
        String digest = CATALOGS.read(catalogs.readRecord().value()).digest();
        contents.readRecordsToList().forEach(record -> written.put(record.key(), new String(record.value(),
                StandardCharsets.UTF_8)));
        return requireNonNull(written.get(digest));
    }
}
