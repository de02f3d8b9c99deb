package dev.toolfleet.cli.approval;

import dev.toolfleet.error.Unquoted;
import dev.toolfleet.wire.AuditEvent;
import dev.toolfleet.wire.WireCodec;
import dev.toolfleet.wire.WireFormatException;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Reads what became of approvals from `tool.audit`. Pure but for its log.
final class DecisionEvents {
    private static final Logger LOG = LoggerFactory.getLogger(DecisionEvents.class);
    private static final WireCodec<AuditEvent> CODEC = WireCodec.of(AuditEvent.class);

    private DecisionEvents() {}

    /// Null for events of other kinds.
    static @Nullable AuditEvent of(ConsumerRecord<byte[], byte[]> record) {
        if (record.value() == null)
            return null;
        try {
            AuditEvent event = CODEC.read(record.value());
            return event.kind() == AuditEvent.Kind.DECISION ? event : null;
        } catch (WireFormatException e) {
            LOG.atDebug().setCause(Unquoted.of(e)).log("a record is no audit event");
            return null;
        }
    }
}
