package dev.toolfleet.gateway.topology;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import dev.toolfleet.client.topics.KafkaHeaders;
import dev.toolfleet.gateway.calls.CallId;
import dev.toolfleet.gateway.calls.CallSummary;
import dev.toolfleet.gateway.calls.CallWait;
import dev.toolfleet.identity.CallIdentity;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.topic.Topics;
import dev.toolfleet.topic.WireHeaders;
import dev.toolfleet.wire.PendingCall;
import dev.toolfleet.wire.ResultStatus;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.wire.WireCodec;
import dev.toolfleet.wire.WireFormatException;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.processor.PunctuationType;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.processor.api.RecordMetadata;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/// Writes the parts and indexes of the calls of one partition.
///
/// A record that cannot be read is passed over: the worker makes it a dead letter, or answers it. A failure to store
/// ends the thread.
final class CallProcessor implements Processor<byte[], byte[], Void, Void> {
    static final String CALLS = "calls";
    static final String INDEX = "index";
    /// Most reports of progress that are kept of a running call.
    static final int REPORTS = 32;
    private static final Duration TICK = Duration.ofSeconds(1);
    private static final WireCodec<PendingCall> PENDING = WireCodec.of(PendingCall.class);
    private static final WireCodec<CallWait> WAITS = WireCodec.of(CallWait.class);
    private static final WireCodec<ToolCall> CALL = WireCodec.of(ToolCall.class);
    private static final ByteArraySerializer BYTES = new ByteArraySerializer();

    private final Topics topics;
    private final CallFeed feed;
    private final CallRetention retention;
    private @Nullable Bound bound;

    /// The context and the stores of a task.
    private record Bound(ProcessorContext<Void, Void> context, KeyValueStore<byte[], byte[]> calls,
            KeyValueStore<byte[], byte[]> index, CallHeads heads, MinuteCounts counts) {
        static Bound of(ProcessorContext<Void, Void> context) {
            KeyValueStore<byte[], byte[]> calls = context.getStateStore(CALLS);
            KeyValueStore<byte[], byte[]> index = context.getStateStore(INDEX);
            return new Bound(context, calls, index, new CallHeads(context.taskId().partition(), calls, index),
                    new MinuteCounts(index));
        }

        int partition() {
            return context.taskId().partition();
        }

        List<KeyValue<byte[], byte[]>> parts(Part part, long callOffset) {
            List<KeyValue<byte[], byte[]>> parts = new ArrayList<>();
            try (KeyValueIterator<byte[], byte[]> found = calls.prefixScan(part.keysOfPart(callOffset), BYTES)) {
                found.forEachRemaining(parts::add);
            }
            return parts;
        }

        /// Writes a part other than the call itself.
        void put(long callOffset, byte[] key, byte[] value) {
            calls.put(key, value);
            heads.noted(callOffset);
        }

        boolean hasEnded(long callOffset) {
            return parts(Part.RESULT, callOffset).stream().anyMatch(part -> StoredResult.isFinal(part.value));
        }
    }

    CallProcessor(Topics topics, CallFeed feed, Duration retention) {
        this.topics = topics;
        this.feed = feed;
        this.retention = new CallRetention(retention);
    }

    @Override
    public void init(ProcessorContext<Void, Void> context) {
        Bound in = Bound.of(context);
        bound = in;
        byte[] position = in.index().get(IndexKey.POSITION);
        // A task that was dropped with its transaction begins again before its last position.
        feed.forget(in.partition());
        if (position != null)
            feed.passed(in.partition(), IndexKey.offset(position));
        context.schedule(TICK, PunctuationType.WALL_CLOCK_TIME, time -> tick(Instant.ofEpochMilli(time)));
    }

    @Override
    public void process(Record<byte[], byte[]> record) {
        Bound in = bound();
        Optional<RecordMetadata> at = in.context().recordMetadata();
        if (at.isEmpty())
            return;
        String topic = at.get().topic();
        long offset = at.get().offset();
        try {
            if (topic.equals(topics.name(Topic.CALL)))
                accepted(in, record, offset);
            else if (record.value() != null)
                of(in, topic, record, offset);
        } catch (WireFormatException e) {
            // Passed over; see above.
        }
    }

    private void of(Bound in, String topic, Record<byte[], byte[]> record, long offset) {
        if (topic.equals(topics.name(Topic.RESULT)))
            answered(in, record, offset);
        else if (topic.equals(topics.name(Topic.PROGRESS)))
            reported(in, record, offset);
        else
            placed(in, record);
    }

    private void accepted(Bound in, Record<byte[], byte[]> record, long offset) {
        Optional<ToolCall> call = record.value() == null ? Optional.empty() : CallHistory.read(record.value());
        call.ifPresent(it -> {
            accept(in, it, offset, record.timestamp(), record.value());
            in.counts().accepted(record.timestamp());
        });
        feed.passed(in.partition(), offset + 1);
        // Only the position shows that there is no call at this offset.
        if (call.isEmpty())
            keepPosition(in);
        changed(in, offset);
    }

    private void accept(Bound in, ToolCall call, long offset, long at, byte[] value) {
        CallIdentity identity = CallIdentity.of(call, in.partition(), offset);
        byte[] instance = IndexKey.digest(call.instanceKey());
        byte[] digest = identity.isOfRecord() ? StoredCall.noIdentity() : IndexKey.digest(identity);
        in.calls().put(Part.CALL.key(offset), new StoredCall(at, digest, instance, value).write());
        if (!identity.isOfRecord())
            put(in, IndexKey.identity(digest), offset, (before, now) -> now < before);
        put(in, IndexKey.instance(instance), offset, (before, now) -> now > before);
        in.heads().accepted(offset, call, Instant.ofEpochMilli(at));
    }

    /// Decides between two offsets.
    private interface Wins {
        boolean over(long before, long now);
    }

    private static void put(Bound in, byte[] key, long offset, Wins wins) {
        byte[] before = in.index().get(key);
        if (before == null || wins.over(IndexKey.offset(before), offset))
            in.index().put(key, IndexKey.offset(offset));
    }

    private void answered(Bound in, Record<byte[], byte[]> record, long offset) {
        ResultHead head = ResultHead.read(record.value());
        if (head == null)
            return;
        long call = callOffset(record.headers(), head.callOffset());
        if (call < 0)
            return;
        CallSummary unended = in.heads().unended(call);
        if (unended == null && in.hasEnded(call))
            return;
        byte[] instance = IndexKey.digest(head.instanceKey());
        in.put(call, Part.RESULT.key(call, offset),
                new StoredResult(record.timestamp(), head.isFinal(), instance, record.value()).write());
        if (head.isFinal()) {
            in.index().put(IndexKey.result(instance, offset), IndexKey.offset(call));
            in.parts(Part.PROGRESS, call).forEach(part -> in.calls().delete(part.key));
            in.counts().ended(record.timestamp(), head.finalStatus() == ResultStatus.ERROR);
            feed.changed(CallFeed.hash(instance));
        }
        if (unended != null)
            summarize(in, unended, head, record.timestamp());
        changed(in, call);
    }

    private static void summarize(Bound in, CallSummary unended, ResultHead result, long at) {
        if (result.isFinal())
            in.heads().ended(unended, result, Instant.ofEpochMilli(at));
        else
            in.heads().changed(unended);
    }

    private void reported(Bound in, Record<byte[], byte[]> record, long offset) {
        long call = callOffset(record.headers(), -1);
        if (call < 0)
            return;
        CallSummary unended = in.heads().unended(call);
        if (unended == null && in.hasEnded(call))
            return;
        in.put(call, Part.PROGRESS.key(call, offset), Part.timed(record.timestamp(), record.value()));
        List<KeyValue<byte[], byte[]>> reports = in.parts(Part.PROGRESS, call);
        for (int i = 0; i < reports.size() - REPORTS; i++)
            in.calls().delete(reports.get(i).key);
        if (unended != null)
            in.heads().reported(unended, record.value());
        changed(in, call);
    }

    /// Processes a record that [PlaceProcessor] has sent to this partition.
    private void placed(Bound in, Record<byte[], byte[]> record) {
        Placed placed = Placed.read(record);
        long call = placed.callOffset();
        switch (placed.kind()) {
            case WAIT -> waits(in, PENDING.read(record.value()));
            case END -> {
                in.put(call, Part.END.key(call, placed.handle()), Part.timed(record.timestamp(), new byte[0]));
                Optional.ofNullable(in.heads().unended(call)).ifPresent(in.heads()::changed);
            }
            case DECISION -> in.put(call, Part.DECISION.key(call, placed.partition(), placed.offset()),
                    Part.timed(record.timestamp(), record.value()));
        }
        changed(in, call);
    }

    private void waits(Bound in, PendingCall pending) {
        long call = pending.callOffset();
        in.put(call, Part.WAIT.key(call, pending.handle()),
                Part.timed(pending.deadline().toEpochMilli(), WAITS.write(CallWait.of(pending))));
        CallSummary unended = in.heads().unended(call);
        if (unended != null)
            in.heads().changed(unended);
        // Stands for a call whose own record was deleted, or is not read yet and then replaces it.
        else if (in.calls().get(Part.CALL.key(call)) == null)
            accept(in, pending.call(), call, calledAt(pending), CALL.write(pending.call()));
    }

    private static long calledAt(PendingCall pending) {
        return (pending.origin() == null ? pending.createdAt() : pending.origin().calledAt()).toEpochMilli();
    }

    /// Returns the offset of the call of a result or of progress.
    static long callOffset(Headers headers, long otherwise) {
        String text = KafkaHeaders.text(headers, WireHeaders.CALL_OFFSET);
        try {
            return text == null ? otherwise : Long.parseLong(text);
        } catch (NumberFormatException e) {
            return otherwise;
        }
    }

    private void changed(Bound in, long call) {
        feed.changed(CallFeed.hash(new CallId(in.partition(), call)));
    }

    private void tick(Instant now) {
        Bound in = bound();
        keepPosition(in);
        in.counts().flush(now);
        retention.expire(in.calls(), in.index(), now);
    }

    private void keepPosition(Bound in) {
        long position = feed.position(in.partition());
        byte[] kept = in.index().get(IndexKey.POSITION);
        if (position > 0 && (kept == null || IndexKey.offset(kept) != position))
            in.index().put(IndexKey.POSITION, IndexKey.offset(position));
    }

    @Override
    public void close() {
        if (bound != null)
            feed.forget(bound.partition());
    }

    private Bound bound() {
        if (bound == null)
            throw new IllegalStateException("process before init");
        return bound;
    }
}
