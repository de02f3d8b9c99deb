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

/// `agent.step`, `tool.result` and `tool.resource` in, `tool.catalog.step`, `tool.catalog.content` and
/// `tool.dead-letter` out. A step's content, its catalog, its state and its offset belong to one transaction, as do what
/// extensions remember of a result and its offset.
public final class CatalogTopology {
    /// A task that answers with a content has written it itself at most so long before, in that transaction or an
    /// earlier one; whoever removes contents relies on it.
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

    /// The topology of one run.
    ///
    /// @param table new and empty; the topology alone applies records to it
    /// @param changed told, on the thread that reads `tool.resource`, of each other view; once it returns, the
    /// `extensions` go by it
    /// @param extensions new
    /// @param retention how long an untouched step's catalog stays
    public static Topology of(Topics names, ResourceTable table, Consumer<FleetResources> changed,
            StepExtensions extensions, StepPolicy policy, StepFaults faults, Duration retention) {
        Topology topology = new Topology();
        // Streams asks for a store. The table is the state; since this store forgets, each start reads the
        // whole topic through the processor again, which rebuilds the table.
        topology.addGlobalStore(
                Stores.keyValueStoreBuilder(Stores.inMemoryKeyValueStore(RESOURCE_PROCESSOR), Serdes.String(),
                        Serdes.ByteArray()).withLoggingDisabled(),
                RESOURCE_SOURCE, new StringDeserializer(), new ByteArrayDeserializer(), names.name(Topic.RESOURCE),
                RESOURCE_PROCESSOR, () -> new ResourceProcessor(table, changed));

        topology.addSource(AutoOffsetReset.earliest(), STEP_SOURCE, MemoryProcessor.AFTER_RESULTS,
                new ByteArrayDeserializer(), new ByteArrayDeserializer(), names.name(Topic.STEP));
        topology.addProcessor(STEP_PROCESSOR,
                () -> new StepProcessor(new CatalogAssembly(extensions, policy, faults), retention), STEP_SOURCE);
        // Nothing is committed for a partition that had no result yet, also when its owner dies: what came since belongs
        // to steps that are remembered. Results of other steps are passed over.
        topology.addSource(AutoOffsetReset.byDuration(retention), RESULT_SOURCE, MemoryProcessor.BEFORE_STEPS,
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
