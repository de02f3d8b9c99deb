package dev.toolfleet.gateway.topology;

import java.nio.charset.StandardCharsets;
import java.util.Map;

import dev.toolfleet.client.topics.KafkaHeaders;
import dev.toolfleet.topic.WireHeaders;
import dev.toolfleet.wire.Decision;
import dev.toolfleet.wire.PendingCall;
import dev.toolfleet.wire.WireCodec;
import dev.toolfleet.wire.WireFormatException;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.processor.api.RecordMetadata;
import org.jspecify.annotations.Nullable;

/// Reads decisions, and keys each by its handle for the topic that leads to the handle's place. A record that is no
/// decision is passed over: the worker makes it a dead letter.
final class DecisionIntake implements Processor<byte[], byte[], byte[], byte[]> {
    private static final WireCodec<Decision> DECISIONS = WireCodec.of(Decision.class);

    private @Nullable ProcessorContext<byte[], byte[]> context;

    @Override
    public void init(ProcessorContext<byte[], byte[]> context) {
        this.context = context;
    }

    @Override
    public void process(Record<byte[], byte[]> record) {
        ProcessorContext<byte[], byte[]> to = context;
        if (to == null || record.value() == null)
            return;
        try {
            Decision decision = DECISIONS.read(record.value()).kept();
            if (decision.handle().length() > PendingCall.MAX_HANDLE)
                return;
            RecordMetadata at = to.recordMetadata().orElseThrow();
            to.forward(new Record<>(decision.handle().getBytes(StandardCharsets.UTF_8), DECISIONS.write(decision),
                    record.timestamp(),
                    KafkaHeaders.of(Map.of(WireHeaders.ORIGIN, at.partition() + "/" + at.offset()))));
        } catch (WireFormatException e) {
            // Passed over; see above.
        }
    }
}
