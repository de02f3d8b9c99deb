package dev.toolfleet.catalog.topology;

import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Consumer;

import dev.toolfleet.catalog.assemble.CatalogAssembly;
import dev.toolfleet.catalog.assemble.StepPolicy;
import dev.toolfleet.catalog.middleware.StepExtensions;
import dev.toolfleet.catalog.telemetry.StepFaults;
import dev.toolfleet.policy.ClearedLabels;
import dev.toolfleet.resources.FleetResources;
import dev.toolfleet.resources.ResourceTable;
import dev.toolfleet.streams.Outgoing;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.topic.Topics;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.streams.AutoOffsetReset;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.processor.api.ProcessorSupplier;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.StoreBuilder;
import org.apache.kafka.streams.state.Stores;

/// Topology of the catalog service: reads `agent.step`, `tool.result`, `tool.journal`, `tool.operator` and
/// `tool.resource`, and writes `tool.catalog.step`, `tool.catalog.content` and `tool.dead-letter`.
///
/// **Contract.** A step's content, its catalog, its state and its offset belong to one transaction. The extensions'
/// memories of a result and its offset do too. Labels are advice: a step that is read before the label of a result shows
/// what the worker then refuses.
public final class CatalogTopology {
    /// The longest time between a task's own write of a content and an answer with it. The removal of contents relies
    /// on it.
    public static final Duration CONTENT_AGAIN_AFTER = Duration.ofHours(1);
    static final String STEP_SINK = "to-catalog-step";
    static final String CONTENT_SINK = "to-catalog-content";
    static final String DEAD_LETTER_SINK = "to-dead-letter";
    private static final String STEP_SOURCE = "from-step";
    private static final String STEP_PROCESSOR = "answer";
    private static final String RESULT_SOURCE = "from-result";
    private static final String RESULT_PROCESSOR = "remember";
    private static final String JOURNAL_SOURCE = "from-journal";
    private static final String JOURNAL_PROCESSOR = "label";
    private static final String OPERATOR_SOURCE = "from-operator";
    private static final String OPERATOR_PROCESSOR = "clear";
    private static final String RESOURCE_SOURCE = "from-resource";
    private static final String RESOURCE_PROCESSOR = "resources";

    private CatalogTopology() {}

    /// Makes the topology of one run.
    ///
    /// @param table new and empty; only the topology applies records to it
    /// @param changed called with each other view, on the thread that reads `tool.resource`; the `extensions` use the
    ///        view when it returns
    /// @param extensions new
    /// @param retention how long an untouched step's catalog stays
    public static Topology of(Topics names, ResourceTable table, Consumer<FleetResources> changed,
            StepExtensions extensions, StepPolicy policy, StepFaults faults, Duration retention) {
        Topology topology = new Topology();
        ClearedLabels cleared = new ClearedLabels(InstantSource.system());
        follow(topology, RESOURCE_SOURCE, RESOURCE_PROCESSOR, names.name(Topic.RESOURCE),
                () -> new ResourceProcessor(table, changed));
        follow(topology, OPERATOR_SOURCE, OPERATOR_PROCESSOR, names.name(Topic.OPERATOR),
                () -> new LabelOrderProcessor(cleared));

        topology.addSource(AutoOffsetReset.earliest(), STEP_SOURCE, MemoryProcessor.AFTER_RESULTS,
                new ByteArrayDeserializer(), new ByteArrayDeserializer(), names.name(Topic.STEP));
        topology.addProcessor(STEP_PROCESSOR,
                () -> new StepProcessor(new CatalogAssembly(extensions, policy, faults), cleared, retention),
                STEP_SOURCE);
        // A partition without a result so far has no committed offset, also when its owner dies. A reset by time would lose
        // results: the consumer finds no young record, a result is appended, the consumer goes to the end. Results of
        // steps that are not remembered are skipped.
        topology.addSource(AutoOffsetReset.earliest(), RESULT_SOURCE, MemoryProcessor.BEFORE_STEPS,
                new ByteArrayDeserializer(), new ByteArrayDeserializer(), names.name(Topic.RESULT));
        topology.addProcessor(RESULT_PROCESSOR, () -> new MemoryProcessor(extensions, faults), RESULT_SOURCE);
        topology.addSource(AutoOffsetReset.earliest(), JOURNAL_SOURCE, MemoryProcessor.BEFORE_STEPS,
                new ByteArrayDeserializer(), new ByteArrayDeserializer(), names.name(Topic.JOURNAL));
        topology.addProcessor(JOURNAL_PROCESSOR, LabelProcessor::new, JOURNAL_SOURCE);
        for (String store : List.of(StepStore.NAME, MemoryStore.NAME))
            topology.addStateStore(store(store), STEP_PROCESSOR, RESULT_PROCESSOR);
        topology.addStateStore(store(LabelStore.NAME), STEP_PROCESSOR, JOURNAL_PROCESSOR);
        addSinks(topology, names);
        return topology;
    }

    /// Kafka Streams requires a store. The processor has the state. This store keeps nothing on disk, so each start reads
    /// the whole topic through the processor again, which rebuilds that state.
    private static void follow(Topology topology, String source, String processor, String topic,
            ProcessorSupplier<String, byte[], Void, Void> each) {
        topology.addGlobalStore(
                Stores.keyValueStoreBuilder(Stores.inMemoryKeyValueStore(processor), Serdes.String(),
                        Serdes.ByteArray()).withLoggingDisabled(),
                source, new StringDeserializer(), new ByteArrayDeserializer(), topic, processor, each);
    }

    private static StoreBuilder<KeyValueStore<String, byte[]>> store(String name) {
        return Stores.keyValueStoreBuilder(Stores.persistentKeyValueStore(name), Serdes.String(), Serdes.ByteArray());
    }

    private static void addSinks(Topology topology, Topics names) {
        topology.addSink(STEP_SINK, names.name(Topic.CATALOG_STEP), new ByteArraySerializer(), Outgoing.SERIALIZER,
                Outgoing.TO_ITS_PARTITION, STEP_PROCESSOR);
        topology.addSink(CONTENT_SINK, names.name(Topic.CATALOG_CONTENT), new ByteArraySerializer(),
                Outgoing.SERIALIZER, STEP_PROCESSOR);
        topology.addSink(DEAD_LETTER_SINK, names.name(Topic.DEAD_LETTER), new ByteArraySerializer(),
                Outgoing.SERIALIZER, STEP_PROCESSOR);
    }
}
