package dev.toolfleet.worker.completion;

import java.util.Optional;
import java.util.Set;

import dev.toolfleet.streams.Outgoing;
import dev.toolfleet.topic.Topic;
import org.apache.kafka.common.serialization.Deserializer;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.utils.Utils;
import org.apache.kafka.streams.StreamsBuilder;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.kstream.Consumed;
import org.apache.kafka.streams.kstream.KStream;
import org.apache.kafka.streams.kstream.Named;
import org.apache.kafka.streams.kstream.Produced;
import org.apache.kafka.streams.kstream.Repartitioned;
import org.apache.kafka.streams.processor.StreamPartitioner;
import org.apache.kafka.streams.processor.WallclockTimestampExtractor;
import org.apache.kafka.streams.state.Stores;

/// Kafka Streams topology of pending calls. It reads `tool.pending`, `tool.completion`, `tool.control` and
/// `tool.decision`, and writes `tool.call.resumed`, `tool.progress`, `tool.pending`, `tool.audit` and
/// `tool.dead-letter`.
///
/// **Contract.** The records that it writes for an input record, the states that change and the input's offset belong
/// to one transaction.
///
/// ```
/// tool.completion ─ intake ─┐
/// tool.decision ─── intake ─┤
/// tool.control ──── intake ─┴─ by handle ─┐
/// tool.pending ───────────────────────────┴─ handles ─ sinks
/// ```
final class CompletionTopology {
    /// Name of the internal topic, behind the application's id.
    static final String TOLD = "told";
    private static final String BY_HANDLE = "by-handle";
    private static final String BOTH = "completions-and-decisions";
    private static final Serde<byte[]> BYTES = Serdes.ByteArray();
    /// Places records by the handle's bytes as Java's producers do. So all records of a handle meet in one partition,
    /// whatever partitioner their producers use.
    private static final StreamPartitioner<byte[], byte[]> BY_KEY = (topic, key, value, partitions) -> Optional
            .of(Set.of(Utils.toPositive(Utils.murmur2(key)) % partitions));

    private static final Deserializer<Outgoing> NOT_READ = (topic, bytes) -> {
        throw new UnsupportedOperationException("only written");
    };

    private CompletionTopology() {}

    /// Returns the topology of one run.
    public static Topology of(CompletionSetup setup) {
        StreamsBuilder builder = new StreamsBuilder();
        KStream<byte[], byte[]> told = intake(builder, setup, Topic.COMPLETION, RawRecord.Source.COMPLETION, BOTH)
                .merge(intake(builder, setup, Topic.DECISION, RawRecord.Source.DECISION, BOTH), Named.as(BOTH))
                .merge(intake(builder, setup, Topic.CONTROL, RawRecord.Source.CANCEL, BY_HANDLE), Named.as(BY_HANDLE))
                .repartition(Repartitioned.<byte[], byte[]>as(TOLD).withKeySerde(BYTES).withValueSerde(BYTES)
                        .withNumberOfPartitions(setup.handlePartitions()).withStreamPartitioner(BY_KEY));
        builder.addStateStore(Stores.keyValueStoreBuilder(
                Stores.persistentKeyValueStore(HandleStores.HANDLES), Serdes.String(), BYTES));
        builder.addStateStore(Stores.keyValueStoreBuilder(
                Stores.persistentKeyValueStore(HandleStores.CALLS), Serdes.String(), BYTES));
        builder.addStateStore(Stores.keyValueStoreBuilder(
                Stores.persistentKeyValueStore(HandleStores.DUE), BYTES, BYTES));
        KStream<byte[], Outgoing> out = source(builder, setup, Topic.PENDING)
                .merge(told, Named.as("pending-and-told"))
                .process(() -> new HandleProcessor(setup), Named.as("handle"), HandleStores.HANDLES,
                        HandleStores.CALLS, HandleStores.DUE);
        sink(out, setup, Topic.CALL_RESUMED, HandleProcessor.RESUMED_SINK);
        sink(out, setup, Topic.PROGRESS, HandleProcessor.PROGRESS_SINK);
        sink(out, setup, Topic.PENDING, HandleProcessor.PENDING_SINK);
        sink(out, setup, Topic.AUDIT, HandleProcessor.AUDIT_SINK);
        sink(out, setup, Topic.DEAD_LETTER, HandleProcessor.LETTER_SINK);
        return builder.build();
    }

    /// Reads a topic with wall-clock timestamps. Deadlines depend on the clock, never on the producers' timestamps,
    /// because Streams would refuse some of them.
    private static KStream<byte[], byte[]> source(StreamsBuilder builder, CompletionSetup setup, Topic topic) {
        return builder.stream(setup.name(topic), Consumed.with(BYTES, BYTES)
                .withTimestampExtractor(new WallclockTimestampExtractor()).withName("from-" + topic.baseName()));
    }

    private static KStream<byte[], byte[]> intake(StreamsBuilder builder, CompletionSetup setup, Topic topic,
            RawRecord.Source source, String next) {
        String letterSink = topic.baseName() + "-to-dead-letter";
        KStream<byte[], byte[]> taken = source(builder, setup, topic).process(
                () -> new HandleIntake(source, next, letterSink, setup), Named.as("take-" + topic.baseName()));
        taken.to(setup.name(Topic.DEAD_LETTER), Produced.with(BYTES, BYTES).withName(letterSink));
        return taken;
    }

    private static void sink(KStream<byte[], Outgoing> out, CompletionSetup setup, Topic topic, String name) {
        out.to(setup.name(topic), Produced.with(BYTES, Serdes.serdeFrom(Outgoing.SERIALIZER, NOT_READ))
                .withStreamPartitioner(Outgoing.TO_ITS_PARTITION).withName(name));
    }
}
