package dev.toolfleet.worker.override;

import java.time.InstantSource;
import java.util.function.Consumer;

import dev.toolfleet.topic.EventType;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.wire.AuditEvent;
import dev.toolfleet.wire.AuditedCall;
import dev.toolfleet.wire.LaneOrder;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.wire.WireCodec;
import dev.toolfleet.worker.identity.Arrival;
import dev.toolfleet.worker.record.RecordWriter;
import org.apache.kafka.clients.producer.ProducerRecord;

/// Audit events of orders that this worker carries out, in its own transactions: also an order that came without the
/// event of `toolfleet lane` leaves a trace. Thread-safe.
///
/// @param publisher takes records of `tool.audit`, at once
record OrderAudit(RecordWriter writer, Consumer<ProducerRecord<byte[], byte[]>> publisher,
        InstantSource clock) implements LaneOrderExecutor.Audit {
    private static final WireCodec<AuditEvent> EVENTS = WireCodec.of(AuditEvent.class);

    @Override
    public void carriedOut(LaneOrder order, Arrival.Call arrival) {
        ToolCall call = arrival.call();
        AuditEvent event = new AuditEvent(AuditEvent.Kind.OPERATOR, action(order.order()), order.by(), order.reason(),
                order.instanceKey(), null,
                new AuditedCall(call.id(), call.name(), null, call.instanceKey(), call.agentName(), call.turnId(),
                        call.stepId(), call.userId(), call.channelId(), null, call.catalogDigest(), call.traceId()),
                null, null, null, null, false, writer.worker(), clock.instant());
        publisher.accept(writer.byKey(Topic.AUDIT, order.instanceKey(), EVENTS.write(event),
                writer.headers(EventType.TOOL_AUDIT, order.instanceKey())));
    }

    private static String action(LaneOrder.Order order) {
        return switch (order) {
            case SKIP -> "lane-skipped";
            case FAIL -> "lane-failed";
        };
    }
}
