package dev.toolfleet.gateway.app;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Function;

import dev.toolfleet.embedded.junit.KafkaFixture;
import dev.toolfleet.error.ErrorCode;
import dev.toolfleet.gateway.calls.CallId;
import dev.toolfleet.gateway.rest.MemoryCalls;
import dev.toolfleet.identity.CallIdentity;
import dev.toolfleet.identity.Fingerprint;
import dev.toolfleet.json.Json;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.topic.Topics;
import dev.toolfleet.topic.WireHeaders;
import dev.toolfleet.wire.CallDecoder;
import dev.toolfleet.wire.DecodedCall;
import dev.toolfleet.wire.ResultStatus;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.wire.ToolError;
import dev.toolfleet.wire.ToolResult;
import dev.toolfleet.wire.WireCodec;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/// Stands in for a worker: reads `tool.call`, runs each identity once, and answers duplicates as a worker does. Fills the
/// read model as well.
final class FakeWorker implements AutoCloseable {
    static final int PARTITIONS = 3;
    private static final WireCodec<ToolResult> RESULTS = WireCodec.of(ToolResult.class);

    final Topics topics;
    final MemoryCalls calls = new MemoryCalls();
    final Queue<ToolCall> run = new ConcurrentLinkedQueue<>();
    private final KafkaProducer<byte[], byte[]> producer;
    private final KafkaConsumer<byte[], byte[]> consumer;
    private final Map<CallIdentity, ToolResult> answers = new HashMap<>();
    private final Thread thread;
    private volatile Function<ToolCall, ResultStatus> tool = call -> ResultStatus.OK;

    FakeWorker(KafkaFixture kafka) {
        topics = new Topics(kafka.prefix());
        for (Topic topic : Topic.values())
            kafka.create(topic.baseName(), topic.group() == Topic.Group.SINGLE ? 1 : PARTITIONS, topic.config());
        producer = new KafkaProducer<>(kafka.producerProperties(), new ByteArraySerializer(),
                new ByteArraySerializer());
        consumer = new KafkaConsumer<>(kafka.consumerProperties(kafka.newGroup()), new ByteArrayDeserializer(),
                new ByteArrayDeserializer());
        thread = Thread.ofVirtual().name("fake-worker").start(this::work);
    }

    void answering(Function<ToolCall, ResultStatus> newTool) {
        tool = newTool;
    }

    private void work() {
        List<TopicPartition> partitions = consumer.partitionsFor(topics.name(Topic.CALL)).stream()
                .map(info -> new TopicPartition(info.topic(), info.partition())).toList();
        consumer.assign(partitions);
        consumer.seekToBeginning(partitions);
        try {
            while (true)
                consumer.poll(Duration.ofSeconds(1)).forEach(this::answer);
        } catch (WakeupException e) {
            consumer.close();
        }
    }

    private void answer(ConsumerRecord<byte[], byte[]> record) {
        if (!(CallDecoder.decode(null, record.value()) instanceof DecodedCall.Valid(ToolCall call)))
            throw new IllegalStateException("the gateway wrote a malformed call");
        CallId id = new CallId(record.partition(), record.offset());
        CallIdentity identity = CallIdentity.of(call, record.partition(), record.offset());
        calls.accepted(id, call);
        ToolResult earlier = answers.get(identity);
        String fingerprint = Fingerprint.of(call.name(), call.args());
        CallIdentity answered = identity;
        ToolResult result;
        if (earlier == null) {
            run.add(call);
            ResultStatus status = tool.apply(call);
            result = result(call, record.offset(), status, status == ResultStatus.PENDING ? "h-1" : null, null, false);
            answers.put(identity, result);
        } else if (fingerprint.equals(earlier.fingerprint())) {
            result = result(call, record.offset(), earlier.status(), earlier.handle(), null, true);
        } else {
            answered = CallIdentity.ofRecord(record.partition(), record.offset());
            result = result(call, record.offset(), ResultStatus.ERROR, null,
                    ToolError.of(ErrorCode.E_CALL_IDENTITY_CONFLICT, "another call"), false);
        }
        send(call, record.partition(), answered, result);
        calls.result(id, result);
    }

    private static ToolResult result(ToolCall call, long offset, ResultStatus status, @Nullable String handle,
            @Nullable ToolError error, boolean replayed) {
        return new ToolResult(call.id(), call.name(), status, error == null ? Json.MAPPER.valueToTree("done") : null,
                handle, error, call.instanceKey(), call.agentName(), call.turnId(), call.stepId(), 1, replayed,
                Fingerprint.of(call.name(), call.args()), offset, null, null);
    }

    private void send(ToolCall call, int partition, CallIdentity identity, ToolResult result) {
        ProducerRecord<byte[], byte[]> record = new ProducerRecord<>(topics.name(Topic.RESULT), partition,
                call.instanceKey().getBytes(StandardCharsets.UTF_8), RESULTS.write(result));
        record.headers().add(WireHeaders.IDENTITY, identity.text().getBytes(StandardCharsets.UTF_8));
        var _ = producer.send(record);
        producer.flush();
    }

    @Override
    public void close() {
        consumer.wakeup();
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        producer.close();
    }
}
