package dev.toolfleet.gateway.topology;

import java.time.Duration;
import java.util.Optional;
import java.util.random.RandomGenerator;

import dev.toolfleet.client.topics.KafkaHeaders;
import dev.toolfleet.gateway.calls.Courier;
import dev.toolfleet.gateway.calls.DeliverySchedule;
import dev.toolfleet.identity.CallIdentity;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.topic.Topics;
import dev.toolfleet.topic.WireHeaders;
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

/// Opens a delivery for each call with a callback that gets its final result.
///
/// **Contract.** A delivery is open, in the store, from the transaction that has read both call and result, until its
/// outcome is known. So a gateway that dies loses none, and the next owner of the partition begins where the store is.
/// A second final result of the same record opens none. Decision 77 has the interleavings.
///
/// **Threads.** One task's thread.
final class CallbackProcessor implements Processor<byte[], byte[], byte[], byte[]> {
    static final String CALLBACKS = "callbacks";
    private static final Duration TICK = Duration.ofMillis(250);
    private static final ByteArraySerializer BYTES = new ByteArraySerializer();

    private final Topics topics;
    private final Courier courier;
    private final DeliverySchedule schedule;
    private final RandomGenerator random;
    private @Nullable Bound bound;

    /// A task's context, the calls of its partition, and its deliveries.
    private record Bound(ProcessorContext<byte[], byte[]> context, KeyValueStore<byte[], byte[]> calls,
            KeyValueStore<byte[], byte[]> callbacks, OpenDeliveries deliveries) {}

    CallbackProcessor(Topics topics, Courier courier, DeliverySchedule schedule, RandomGenerator random) {
        this.topics = topics;
        this.courier = courier;
        this.schedule = schedule;
        this.random = random;
    }

    @Override
    public void init(ProcessorContext<byte[], byte[]> context) {
        KeyValueStore<byte[], byte[]> callbacks = context.getStateStore(CALLBACKS);
        OpenDeliveries deliveries = new OpenDeliveries(context.taskId().partition(), callbacks, courier, schedule,
                random, new CallbackLetter(topics, context.applicationId()), context::forward);
        Bound in = new Bound(context, context.getStateStore(CallProcessor.CALLS), callbacks, deliveries);
        bound = in;
        CallbackRetention retention = new CallbackRetention(callbacks, in.calls());
        context.schedule(TICK, PunctuationType.WALL_CLOCK_TIME, now -> {
            deliveries.proceed(now);
            retention.expire(now);
        });
    }

    @Override
    public void process(Record<byte[], byte[]> record) {
        Bound in = bound();
        Optional<RecordMetadata> at = in.context().recordMetadata();
        if (at.isEmpty() || record.value() == null)
            return;
        if (at.get().topic().equals(topics.name(Topic.CALL)))
            called(in, record, at.get().offset());
        else if (at.get().topic().equals(topics.name(Topic.RESULT)))
            answered(in, record, at.get().offset());
    }

    /// Keeps the callback. The final result may have been read before its call: Kafka Streams orders the records of one
    /// topic only.
    private void called(Bound in, Record<byte[], byte[]> record, long offset) {
        String callback = KafkaHeaders.text(record.headers(), WireHeaders.CALLBACK);
        if (callback == null)
            return;
        int partition = in.context().taskId().partition();
        CallIdentity identity = CallHistory.read(record.value())
                .map(call -> CallIdentity.of(call, partition, offset))
                .orElseGet(() -> CallIdentity.ofRecord(partition, offset));
        OpenDelivery waiting = OpenDelivery.of(identity, callback, record.timestamp());
        Optional<KeyValue<byte[], byte[]>> earlier = finalResult(in, offset);
        if (earlier.isPresent())
            open(in, waiting, offset, Part.offset(earlier.get().key), StoredResult.read(earlier.get().value).record());
        else
            in.callbacks().put(OpenDelivery.waiting(offset), waiting.write());
    }

    private static Optional<KeyValue<byte[], byte[]>> finalResult(Bound in, long callOffset) {
        try (KeyValueIterator<byte[], byte[]> results = in.calls().prefixScan(Part.RESULT.keysOfPart(callOffset),
                BYTES)) {
            while (results.hasNext()) {
                KeyValue<byte[], byte[]> part = results.next();
                if (StoredResult.isFinal(part.value))
                    return Optional.of(part);
            }
        }
        return Optional.empty();
    }

    private void answered(Bound in, Record<byte[], byte[]> record, long offset) {
        ResultHead head = ResultHead.read(record.value());
        if (head == null || !head.isFinal())
            return;
        long call = CallProcessor.callOffset(record.headers(), head.callOffset());
        byte[] waiting = call < 0 ? null : in.callbacks().get(OpenDelivery.waiting(call));
        if (waiting == null)
            return;
        in.callbacks().delete(OpenDelivery.waiting(call));
        open(in, OpenDelivery.read(waiting), call, offset, record.value());
    }

    private static void open(Bound in, OpenDelivery waiting, long call, long resultOffset, byte[] result) {
        long now = in.context().currentSystemTimeMs();
        in.deliveries().open(call, waiting.answered(in.context().taskId().partition(), call, resultOffset, result, now),
                result, now);
    }

    /// Deliveries under way go on, and their outcomes are lost: the partition's next owner makes them again.
    @Override
    public void close() {
        if (bound != null)
            courier.open(bound.context().taskId().partition(), 0);
    }

    private Bound bound() {
        if (bound == null)
            throw new IllegalStateException("process before init");
        return bound;
    }
}
