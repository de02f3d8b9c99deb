package dev.toolfleet.worker.record;

import java.util.ArrayList;
import java.util.List;

import dev.toolfleet.topic.EventType;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.wire.CallIntent;
import dev.toolfleet.wire.HandOver;
import dev.toolfleet.wire.InstanceLabel;
import dev.toolfleet.wire.OpenHandle;
import dev.toolfleet.wire.PartitionFrontier;
import dev.toolfleet.wire.PartitionOwner;
import dev.toolfleet.wire.ResumedCall;
import dev.toolfleet.wire.SpentBudget;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.wire.WireCodec;
import dev.toolfleet.worker.assignment.Position;
import dev.toolfleet.worker.call.CallFacts;
import dev.toolfleet.worker.identity.WrittenBudgets;
import dev.toolfleet.worker.identity.WrittenLabels;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.JsonNodeFactory;

/// Records of `tool.journal`, and of `tool.call.resumed` as far as they speak of intents, in the partition of their
/// call. Thread-safe.
public final class JournalRecords {
    private static final WireCodec<OpenHandle> HANDLES = WireCodec.of(OpenHandle.class);
    private static final WireCodec<PartitionFrontier> FRONTIERS = WireCodec.of(PartitionFrontier.class);
    private static final WireCodec<InstanceLabel> LABELS = WireCodec.of(InstanceLabel.class);
    private static final WireCodec<SpentBudget> BUDGETS = WireCodec.of(SpentBudget.class);
    private static final WireCodec<PartitionOwner> OWNERS = WireCodec.of(PartitionOwner.class);
    private static final WireCodec<CallIntent> INTENTS = WireCodec.of(CallIntent.class);
    private static final WireCodec<ResumedCall> RESUMED = WireCodec.of(ResumedCall.class);

    private final RecordWriter writer;

    /// Writes with these headers.
    public JournalRecords(RecordWriter writer) {
        this.writer = writer;
    }

    public String worker() {
        return writer.worker();
    }

    /// The journal's name, for messages.
    public String journal() {
        return writer.topic(Topic.JOURNAL);
    }

    public ProducerRecord<byte[], byte[]> intent(CallFacts run, CallIntent intent) {
        return record(run, run.noted(), INTENTS.write(intent));
    }

    /// Entry of a call that waits for its handle; takes the place of its intent.
    ProducerRecord<byte[], byte[]> openHandle(CallFacts run, OpenHandle handle) {
        return record(run, handle.identity(), HANDLES.write(handle));
    }

    /// Entry of the offset up to which a partition is finished.
    public ProducerRecord<byte[], byte[]> frontier(int partition, PartitionFrontier frontier) {
        return writer.inPartition(Topic.JOURNAL, partition, PartitionFrontier.KEY, FRONTIERS.write(frontier),
                writer.headers(EventType.TOOL_JOURNAL, PartitionFrontier.KEY));
    }

    /// Entry of a partition's owner, or of one that died with it; null for an owner that gives it up in order.
    public ProducerRecord<byte[], byte[]> owner(int partition, @Nullable PartitionOwner owner) {
        return writer.inPartition(Topic.JOURNAL, partition, PartitionOwner.KEY,
                owner == null ? null : OWNERS.write(owner), writer.headers(EventType.TOOL_JOURNAL, PartitionOwner.KEY));
    }

    /// Returns the writer of labels for the whole fleet.
    SentLabels fleetLabels() {
        return new SentLabels(writer);
    }

    /// Entries of labels that go with a call's result.
    List<ProducerRecord<byte[], byte[]>> labels(CallFacts run, WrittenLabels written) {
        List<ProducerRecord<byte[], byte[]>> records = new ArrayList<>();
        written.added().forEach(label -> records.add(record(run, label.key(), LABELS.write(label))));
        written.cleared().forEach(label -> records.add(record(run, label.key(), LABELS.write(label))));
        written.ended().forEach(label -> records.add(record(run, label.key(), null)));
        return records;
    }

    /// Entries of what a call has spent, which go with its first result.
    List<ProducerRecord<byte[], byte[]>> budgets(CallFacts run, WrittenBudgets written) {
        List<ProducerRecord<byte[], byte[]>> records = new ArrayList<>();
        written.spent().forEach(spent -> records.add(record(run, spent.key(), BUDGETS.write(spent))));
        written.gone().forEach(place -> records.add(record(run, place.key(), null)));
        records.addAll(new PublishedBudgets(writer).of(run, written));
        return records;
    }

    /// Closes an intent.
    public ProducerRecord<byte[], byte[]> tombstone(CallFacts run) {
        return record(run, run.noted(), null);
    }

    /// Closes every entry of a call: its handle or its intent, and both when it was
    /// approved and began.
    List<ProducerRecord<byte[], byte[]>> closed(CallFacts run) {
        ProducerRecord<byte[], byte[]> own = record(run, run.call().identity().text(), null);
        return run.grant() == null || !run.hasStart() ? List.of(own) : List.of(own, tombstone(run));
    }

    private ProducerRecord<byte[], byte[]> record(CallFacts run, String key, byte @Nullable [] value) {
        Position position = run.call().arrival().position();
        return writer.inPartition(Topic.JOURNAL, position.partition(), key, value,
                headers(EventType.TOOL_JOURNAL, run));
    }

    /// Entry for the heir: a call with an intent never started; null when it has none.
    @Nullable
    public ProducerRecord<byte[], byte[]> neverStarted(CallFacts run) {
        CallIntent intent = run.intent();
        if (intent == null || intent.member() == null)
            return null;
        return handOver(run,
                new HandOver(intent.identity(), intent.member(), intent.epoch(), intent.attempt(), null, null,
                        null));
    }

    ProducerRecord<byte[], byte[]> handOver(CallFacts run, HandOver handOver) {
        Position position = run.call().arrival().position();
        ToolCall bare = bare(run);
        return writer.inPartition(Topic.CALL_RESUMED, position.partition(), bare.instanceKey(),
                RESUMED.write(ResumedCall.handedOver(bare, position.offset(), handOver)),
                headers(EventType.TOOL_CALL_RESUMED, run));
    }

    /// Without arguments and message: the heir has read the call itself, and its result needs the room.
    static ToolCall bare(CallFacts run) {
        ToolCall call = run.call().arrival().call();
        return ToolCall.of(call.id(), call.name(), JsonNodeFactory.instance.objectNode(), call.instanceKey());
    }

    private HeaderList headers(EventType type, CallFacts run) {
        return writer.headers(type, run.call().arrival().position(), run.call().arrival().call().instanceKey(),
                run.context());
    }
}
