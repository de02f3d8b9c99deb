package dev.toolfleet.cli.policy;

import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;

import dev.toolfleet.cli.bundle.ResourceTransaction;
import dev.toolfleet.cli.terminal.Failure;
import dev.toolfleet.config.FleetConfig;
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
/// at one moment one is told to try again, and nobody's denial is lost.
final class DenialWriter {
    private static final WireCodec<AuditEvent> CODEC = WireCodec.of(AuditEvent.class);
    private static final String WRITER = "operator";
    private static final String SOURCE = "/toolfleet/policy";

    private final FleetConfig fleet;
    private final InstantSource clock;

    /// What to write.
    ///
    /// @param audits by their targets
    record Change(RevisionPlan plan, List<AuditEvent> audits) {
        Change {
            audits = List.copyOf(audits);
        }
    }

    DenialWriter(FleetConfig fleet, InstantSource clock) {
        this.fleet = fleet;
        this.clock = clock;
    }

    /// Writes a change.
    ///
    /// @param change made of what stands on the topic; it may refuse with a [Failure]
    /// @return what stands on the topic afterwards
    ResourceTable write(Function<ResourceTable, Change> change) {
        Map<String, Object> client = fleet.kafka().clientProperties();
        try (ResourceTransaction transaction = ResourceTransaction.audited(fleet.topics().topics(), client,
                WRITER, SOURCE, clock)) {
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
        transaction.write(fleet.topics().topics().name(Topic.AUDIT), target, CODEC.write(event),
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
