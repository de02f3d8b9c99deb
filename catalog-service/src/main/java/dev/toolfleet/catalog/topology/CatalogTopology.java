package dev.toolfleet.catalog.topology;

import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

import dev.toolfleet.catalog.assemble.CatalogAssembly;
import dev.toolfleet.catalog.assemble.StepPolicy;
import dev.toolfleet.catalog.middleware.StepExtensions;
import dev.toolfleet.catalog.telemetry.StepFaults;
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
import org.apache.kafka.streams.state.Stores;

/// Topology of the catalog service: reads `agent.step`, `tool.result` and `tool.resource`, and writes
/// `tool.catalog.step`, `tool.catalog.content` and `tool.dead-letter`.
///
/// **Contract.** A step's content, its catalog, its state and its offset belong to one transaction. The extensions'
/// memories of a result and its offset do too.
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
        // Kafka Streams requires a store. The table is the state. This store keeps nothing on disk, so each start reads
        // the whole topic through the processor again, which rebuilds the table.
        topology.addGlobalStore(
                Stores.keyValueStoreBuilder(Stores.inMemoryKeyValueStore(RESOURCE_PROCESSOR), Serdes.String(),
                        Serdes.ByteArray()).withLoggingDisabled(),
                RESOURCE_SOURCE, new StringDeserializer(), new ByteArrayDeserializer(), names.name(Topic.RESOURCE),
                RESOURCE_PROCESSOR, () -> new ResourceProcessor(table, changed));

        topology.addSource(AutoOffsetReset.earliest(), STEP_SOURCE, MemoryProcessor.AFTER_RESULTS,
                new ByteArrayDeserializer(), new ByteArrayDeserializer(), names.name(Topic.STEP));
        topology.addProcessor(STEP_PROCESSOR,
                () -> new StepProcessor(new CatalogAssembly(extensions, policy, faults), retention), STEP_SOURCE);
        // A partition without a result so far has no committed offset, also when its owner dies. A reset by time would lose
        // results: the consumer finds no young record, a result is appended, the consumer goes to the end. Results of
        // steps that are not remembered are skipped.
        topology.addSource(AutoOffsetReset.earliest(), RESULT_SOURCE, MemoryProcessor.BEFORE_STEPS,
                new ByteArrayDeserializer(), new ByteArrayDeserializer(), names.name(Topic.RESULT));
        topology.addProcessor(RESULT_PROCESSOR, () -> new MemoryProcessor(extensions, faults), RESULT_SOURCE);
        for (String store : List.of(StepStore.NAME, MemoryStore.NAME)) {
            topology.addStateStore(Stores.keyValueStoreBuilder(Stores.persistentKeyValueStore(store), Serdes.String(),
                    Serdes.ByteArray()), STEP_PROCESSOR, RESULT_PROCESSOR);
        }
        topology.addSink(STEP_SINK, names.name(Topic.CATALOG_STEP), new ByteArraySerializer(), Outgoing.SERIALIZER,
                Outgoing.TO_ITS_PARTITION, STEP_PROCESSOR);
        topology.addSink(CONTENT_SINK, names.name(Topic.CATALOG_CONTENT), new ByteArraySerializer(),
                Outgoing.SERIALIZER, STEP_PROCESSOR);
        topology.addSink(DEAD_LETTER_SINK, names.name(Topic.DEAD_LETTER), new ByteArraySerializer(),
                Outgoing.SERIALIZER, STEP_PROCESSOR);
        return topology;
    }
}
