package dev.toolfleet.cli.fleet;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import dev.toolfleet.cli.terminal.Failure;
import dev.toolfleet.client.audit.ChainedProducer;
import dev.toolfleet.client.topics.KafkaHeaders;
import dev.toolfleet.client.topics.WrittenRecords;
import dev.toolfleet.topic.EventType;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.topic.WireHeaders;
import dev.toolfleet.wire.AuditEvent;
import dev.toolfleet.wire.AuditedCall;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.wire.WireCodec;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InvalidProducerEpochException;
import org.apache.kafka.common.errors.ProducerFencedException;

/// Transaction in which operators change calls: records and their audit events, all or nothing, so that auditors see
/// every change. There is one transactional id in a fleet: of two operators at one moment one must try again.
///
/// @param source the writer as in CloudEvents, such as `/toolfleet/lane`
/// @param what the change in messages, such as `the order`
public record AuditedWrite(RemoteFleet fleet, String source, String what) {
    private static final WireCodec<AuditEvent> AUDITS = WireCodec.of(AuditEvent.class);
    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final Duration CLOSE = Duration.ofSeconds(5);

    /// Record to write.
    public record Entry<T>(Topic topic, EventType type, String key, WireCodec<T> codec, T value) {
        /// Returns the record of an operator's event, by its target.
        public static Entry<AuditEvent> audit(AuditEvent event) {
            return new Entry<>(Topic.AUDIT, EventType.TOOL_AUDIT, String.valueOf(event.target()), AUDITS, event);
        }

        private byte[] bytes() {
            return codec.write(value);
        }
    }

    /// Returns a call for an audit event.
    public static AuditedCall audited(ToolCall call) {
        return new AuditedCall(call.id(), call.name(), null, call.instanceKey(), call.agentName(), call.turnId(),
                call.stepId(), call.userId(), call.channelId(), null, call.catalogDigest(), call.traceId());
    }

    /// Writes the records in their order, and returns when others can read them.
    ///
    /// @throws Failure (failed) when they were not written, or that is unknown
    public void write(List<? extends Entry<?>> entries, Instant now) {
        KafkaProducer<byte[], byte[]> producer = new ChainedProducer(config(), fleet.name(Topic.AUDIT), source, false);
        try {
            producer.initTransactions();
            producer.beginTransaction();
            WrittenRecords written = new WrittenRecords();
            entries.forEach(entry -> send(producer, written, entry, now));
            producer.commitTransaction();
            written.committed();
            written.awaitReadable(fleet.kafka(), TIMEOUT);
        } catch (ProducerFencedException | InvalidProducerEpochException e) {
            throw Failure.failed("another operator changed calls at the same moment, and nothing of yours was written;"
                    + " try again", e);
        } catch (KafkaException e) {
            throw Failure.failed("whether " + what + " was written is not known: " + e.getMessage()
                    + "; try again, which does no harm", e);
        } finally {
            producer.close(CLOSE);
        }
    }

    private void send(KafkaProducer<byte[], byte[]> producer, WrittenRecords written, Entry<?> entry, Instant now) {
        // The commit throws what a send failed with.
        written.add(producer.send(new ProducerRecord<>(fleet.name(entry.topic()), null,
                entry.key().getBytes(StandardCharsets.UTF_8), entry.bytes(),
                KafkaHeaders.of(WireHeaders.cloudEvent(entry.type(), UUID.randomUUID().toString(), source, entry.key(),
                        now, null)))));
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
