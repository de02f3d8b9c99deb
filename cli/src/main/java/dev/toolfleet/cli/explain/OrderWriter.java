package dev.toolfleet.cli.explain;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;

import dev.toolfleet.cli.fleet.RemoteFleet;
import dev.toolfleet.cli.terminal.Failure;
import dev.toolfleet.client.audit.ChainedProducer;
import dev.toolfleet.client.topics.KafkaHeaders;
import dev.toolfleet.client.topics.WrittenRecords;
import dev.toolfleet.topic.EventType;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.topic.WireHeaders;
import dev.toolfleet.wire.AuditEvent;
import dev.toolfleet.wire.AuditedCall;
import dev.toolfleet.wire.LaneOrder;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.wire.WireCodec;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InvalidProducerEpochException;
import org.apache.kafka.common.errors.ProducerFencedException;

/// Writes an order to a lane and its audit event, in one transaction: auditors see every order.
record OrderWriter(RemoteFleet fleet) {
    private static final WireCodec<LaneOrder> ORDERS = WireCodec.of(LaneOrder.class);
    private static final WireCodec<AuditEvent> AUDITS = WireCodec.of(AuditEvent.class);
    private static final String SOURCE = "/toolfleet/lane";
    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final Duration CLOSE = Duration.ofSeconds(5);

    /// @throws Failure (failed) when it was not written, or that is unknown
    void write(LaneOrder order, ToolCall call, Instant now) {
        KafkaProducer<byte[], byte[]> producer = new ChainedProducer(config(),
                fleet.name(Topic.AUDIT),
                SOURCE, false);
        try {
            producer.initTransactions();
            producer.beginTransaction();
            WrittenRecords written = new WrittenRecords();
            send(producer, written, Topic.OPERATOR, EventType.TOOL_CONTROL_LANE, order.instanceKey(),
                    ORDERS.write(order), now);
            send(producer, written, Topic.AUDIT, EventType.TOOL_AUDIT, order.instanceKey(),
                    AUDITS.write(audit(order, call, now)), now);
            producer.commitTransaction();
            written.committed();
            written.awaitReadable(fleet.kafka(), TIMEOUT);
        } catch (ProducerFencedException | InvalidProducerEpochException e) {
            throw Failure.failed("another operator gave an order at the same moment, and nothing of yours was written;"
                    + " try again", e);
        } catch (KafkaException e) {
            throw Failure.failed("whether the order was written is not known: " + e.getMessage()
                    + "; try again, which does no harm", e);
        } finally {
            producer.close(CLOSE);
        }
    }

    static AuditEvent audit(LaneOrder order, ToolCall call, Instant now) {
        return new AuditEvent(AuditEvent.Kind.OPERATOR, "lane-" + order.order().text(), order.by(), order.reason(),
                order.instanceKey(), null,
                new AuditedCall(call.id(), call.name(), null, call.instanceKey(), call.agentName(), call.turnId(),
                        call.stepId(), call.userId(), call.channelId(), null, call.catalogDigest(), call.traceId()),
                null, null, null, null, false, null, now);
    }

    private void send(KafkaProducer<byte[], byte[]> producer, WrittenRecords written, Topic topic, EventType type,
            String key, byte[] value, Instant now) {
        // The commit throws what a send failed with.
        written.add(producer.send(new ProducerRecord<>(fleet.name(topic), null,
                key.getBytes(StandardCharsets.UTF_8), value, KafkaHeaders.of(WireHeaders.cloudEvent(type,
                        UUID.randomUUID().toString(), SOURCE, key, now, null)))));
    }

    private Map<String, Object> config() {
        int millis = Math.toIntExact(TIMEOUT.toMillis());
        Map<String, Object> config = new HashMap<>(fleet.kafka());
        config.put("transactional.id", fleet.name(Topic.OPERATOR) + ".lane");
        config.put("transaction.timeout.ms", millis);
        config.put("max.block.ms", millis);
        config.put("request.timeout.ms", millis / 2);
        config.put("delivery.timeout.ms", millis);
        config.put("linger.ms", 0);
        return config;
    }
}
