package dev.toolfleet.cli.policy;

import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;

import dev.toolfleet.cli.fleet.RemoteFleet;
import dev.toolfleet.cli.terminal.Failure;
import dev.toolfleet.publishing.apply.ResourceTransaction;
import dev.toolfleet.resources.ResourceTable;
import dev.toolfleet.resources.RevisionPlan;
import dev.toolfleet.topic.EventType;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.topic.WireHeaders;
import dev.toolfleet.wire.AuditEvent;
import dev.toolfleet.wire.WireCodec;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InvalidProducerEpochException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.errors.TimeoutException;

/// Writes what operators switch off and on: the resources and their audit events, in one transaction. Of two operators
/// at one moment one must try again, and no denial is lost.
final class DenialWriter {
    private static final WireCodec<AuditEvent> CODEC = WireCodec.of(AuditEvent.class);
    private static final String WRITER = "operator";
    private static final String SOURCE = "/toolfleet/policy";

    private final RemoteFleet fleet;

    /// Change to write.
    ///
    /// @param audits by their targets
    record Change(RevisionPlan plan, List<AuditEvent> audits) {
        Change {
            audits = List.copyOf(audits);
        }
    }

    DenialWriter(RemoteFleet fleet) {
        this.fleet = fleet;
    }

    /// Writes a change.
    ///
    /// @param change made of what stands on the topic; it may refuse with a [Failure]
    /// @return what stands on the topic afterwards
    ResourceTable write(Function<ResourceTable, Change> change) {
        Map<String, Object> client = fleet.kafka();
        try (ResourceTransaction transaction = ResourceTransaction.audited(fleet.topics(), client,
                WRITER, SOURCE, fleet.clock())) {
            ResourceTable table = transaction.read();
            Change made = change.apply(table);
            transaction.begin();
            transaction.write(made.plan(), SOURCE);
            made.audits().forEach(event -> audit(event, transaction));
            commit(transaction);
            made.plan().entries().forEach(entry -> table.apply(entry.key(), entry.value()));
            return table;
        } catch (ProducerFencedException | InvalidProducerEpochException e) {
            throw Failure
                    .failed("another operator used the switch at the same moment, and nothing of yours was written;"
                            + " see toolfleet policy denials, and try again", e);
        } catch (KafkaException e) {
            throw Failure.failed("nothing was switched at " + client.get("bootstrap.servers") + ": " + e.getMessage(),
                    e);
        }
    }

    private void audit(AuditEvent event, ResourceTransaction transaction) {
        String target = String.valueOf(event.target());
        transaction.write(fleet.name(Topic.AUDIT), target, CODEC.write(event),
                WireHeaders.cloudEvent(EventType.TOOL_AUDIT, UUID.randomUUID().toString(), SOURCE, target,
                        event.occurredAt(), null));
    }

    private static void commit(ResourceTransaction transaction) {
        try {
            transaction.commit();
        } catch (TimeoutException e) {
            throw Failure.failed("whether it was switched is not known, because the broker did not answer in time; see"
                    + " toolfleet policy denials, and try again, which does no harm", e);
        }
    }
}
