package dev.toolfleet.bench.engine;

import dev.toolfleet.wire.ResultStatus;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.wire.ToolResult;
import dev.toolfleet.wire.WireCodec;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;

/// Answer of an engine that is no fleet: it reads the call's JSON, runs the tool and writes the JSON of a result, to
/// the call's partition. It checks, guards and remembers nothing.
final class CallAnswer {
    private static final WireCodec<ToolCall> CALLS = WireCodec.of(ToolCall.class);
    private static final WireCodec<ToolResult> RESULTS = WireCodec.of(ToolResult.class);

    private final String topic;

    CallAnswer(String topic) {
        this.topic = topic;
    }

    ProducerRecord<byte[], byte[]> to(ConsumerRecord<byte[], byte[]> record) throws InterruptedException {
        ToolCall call = CALLS.read(record.value());
        ToolResult result = new ToolResult(call.id(), call.name(), ResultStatus.OK,
                ComparedTool.work(call.argsObject()),
                null, null, call.instanceKey(), call.agentName(), call.turnId(), call.stepId(), 1, false, null,
                record.offset(), null, null);
        return new ProducerRecord<>(topic, record.partition(), record.key(), RESULTS.write(result));
    }
}
