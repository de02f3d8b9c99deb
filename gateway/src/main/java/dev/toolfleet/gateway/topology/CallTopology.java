package dev.toolfleet.gateway.topology;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;

import dev.toolfleet.gateway.calls.Courier;
import dev.toolfleet.gateway.calls.DeliverySchedule;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.topic.Topics;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.utils.Utils;
import org.apache.kafka.streams.AutoOffsetReset;
import org.apache.kafka.streams.StreamsBuilder;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.kstream.Consumed;
import org.apache.kafka.streams.kstream.KStream;
import org.apache.kafka.streams.kstream.Named;
import org.apache.kafka.streams.kstream.Produced;
import org.apache.kafka.streams.kstream.Repartitioned;
import org.apache.kafka.streams.processor.StreamPartitioner;
import org.apache.kafka.streams.processor.TimestampExtractor;
import org.apache.kafka.streams.state.Stores;

/// Topology of the read model. It reads `tool.call`, `tool.result`, `tool.progress`, `tool.pending` and `tool.decision`,
/// and writes internal topics, and `tool.dead-letter` for results that could not be delivered.
///
/// **Contract.** The stores are a function of the records read, whatever the order in which the topics were read
/// (`CallHistory`). Decision 80 has the interleavings.
///
/// ```
/// tool.decision ─ intake ─ by handle ─┐
/// tool.pending ───────────────────────┴─ places ─ by call ─┐
/// tool.call, tool.result, tool.progress ─┬─────────────────┴─ calls
///                                        └─ callbacks ─ tool.dead-letter
/// ```
public final class CallTopology {
    /// Name of the internal topic with decisions by handle, behind the application's id.
    static final String BY_HANDLE = "decisions";
    /// Name of the internal topic with the records of handles by their call's partition, behind the application's id.
    static final String BY_CALL = "placed";
    private static final Serde<byte[]> BYTES = Serdes.ByteArray();
    /// Places records by the handle's bytes as Java's producers do, and so as the fleet places them on `tool.pending`.
    private static final StreamPartitioner<byte[], byte[]> TO_HANDLE = (topic, key, value, partitions) -> Optional
            .of(Set.of(Utils.toPositive(Utils.murmur2(key)) % partitions));
    private static final StreamPartitioner<byte[], byte[]> TO_CALL = (topic, key, value, partitions) -> Optional
            .of(Set.of(Placed.callPartition(key) % partitions));
    /// Some producers write no time (-1). Otherwise: such a decision stops the thread before a processor can read it.
    private static final TimestampExtractor AT = (record, streamTime) -> Math.max(record.timestamp(), 0);

    private CallTopology() {}

    /// Makes the topology of one run.
    ///
    /// @param callPartitions the count of the topics that follow their call
    /// @param handlePartitions the count of `tool.pending`
    /// @param feed receives changes and positions
    /// @param retention how long a call is kept after its last record
    /// @param courier sends results to the callbacks of their calls
    /// @param schedule the times of its attempts
    public static Topology of(Topics topics, int callPartitions, int handlePartitions, CallFeed feed,
            Duration retention, Courier courier, DeliverySchedule schedule) {
        StreamsBuilder builder = new StreamsBuilder();
        for (String store : List.of(CallProcessor.CALLS, CallProcessor.INDEX, PlaceProcessor.PLACES,
                CallbackProcessor.CALLBACKS))
            builder.addStateStore(Stores.keyValueStoreBuilder(Stores.persistentKeyValueStore(store), BYTES, BYTES));
        KStream<byte[], byte[]> decisions = builder
                .stream(topics.name(Topic.DECISION), from("decision"))
                .process(DecisionIntake::new, Named.as("take-decision"))
                .repartition(to(BY_HANDLE, handlePartitions, TO_HANDLE));
        KStream<byte[], byte[]> placed = builder
                .stream(topics.name(Topic.PENDING), from("pending"))
                .merge(decisions, Named.as("pending-and-decisions"))
                .process(() -> new PlaceProcessor(topics, callPartitions, retention), Named.as("place"),
                        PlaceProcessor.PLACES)
                .repartition(to(BY_CALL, callPartitions, TO_CALL));
        KStream<byte[], byte[]> calls = builder.stream(List.of(topics.name(Topic.CALL), topics.name(Topic.RESULT),
                topics.name(Topic.PROGRESS)), from("calls"));
        calls.merge(placed, Named.as("calls-and-placed"))
                .process(() -> new CallProcessor(topics, feed, retention), Named.as("keep"), CallProcessor.CALLS,
                        CallProcessor.INDEX);
        calls.process(() -> new CallbackProcessor(topics, courier, schedule,
                () -> ThreadLocalRandom.current().nextLong()),
                Named.as("deliver"), CallProcessor.CALLS, CallbackProcessor.CALLBACKS)
                .to(topics.name(Topic.DEAD_LETTER), Produced.with(BYTES, BYTES).withName("dead-letter"));
        return builder.build();
    }

    /// Reads from the beginning where no offset is committed, as in a partition without records. Otherwise: with a reset
    /// by time, the consumer finds no record of the last day, a call is appended, the consumer goes to the end, and the
    /// call is never read.
    private static Consumed<byte[], byte[]> from(String name) {
        return Consumed.with(BYTES, BYTES).withTimestampExtractor(AT)
                .withOffsetResetPolicy(AutoOffsetReset.earliest()).withName("from-" + name);
    }

    private static Repartitioned<byte[], byte[]> to(String name, int partitions,
            StreamPartitioner<byte[], byte[]> partitioner) {
        return Repartitioned.<byte[], byte[]>as(name).withKeySerde(BYTES).withValueSerde(BYTES)
                .withNumberOfPartitions(partitions).withStreamPartitioner(partitioner);
    }
}
