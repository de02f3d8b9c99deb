package dev.toolfleet.cli.label;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import dev.toolfleet.cli.fleet.RemoteFleet;
import dev.toolfleet.client.topics.TopicScan;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.wire.InstanceLabel;
import dev.toolfleet.wire.JournalEntry;
import dev.toolfleet.wire.LabelOrder;
import dev.toolfleet.wire.ReceivedLabel;
import dev.toolfleet.wire.WireCodec;
import dev.toolfleet.wire.WireFormatException;
import dev.toolfleet.worker.identity.FleetLabels;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

/// Reader of the labels of instances: the journal's entries and what instances have received from others, without what
/// operators have cleared.
record LabelReader(RemoteFleet fleet) {
    private static final WireCodec<LabelOrder> ORDERS = WireCodec.of(LabelOrder.class);

    /// A label with the time at which it was added last.
    record Found(InstanceLabel label, Instant at) {}

    /// Labels of instances.
    ///
    /// @param own those that results have added
    /// @param received those from other instances
    record Labels(List<Found> own, List<ReceivedLabel> received) {
        boolean isEmpty() {
            return own.isEmpty() && received.isEmpty();
        }

        /// Returns those with one of these names; all of them for no name.
        Labels named(List<String> names) {
            if (names.isEmpty())
                return this;
            return new Labels(own.stream().filter(each -> names.contains(each.label().added().label())).toList(),
                    received.stream().filter(each -> each.added() != null && names.contains(each.added().label()))
                            .toList());
        }
    }

    /// Returns the labels that count now.
    ///
    /// @param instance of the labels; empty for all
    Labels all(TopicScan scan, Optional<String> instance) {
        return new Labels(read(scan, instance), received(scan, instance));
    }

    /// Returns the labels that count now, by instance and name.
    ///
    /// @param instance of the labels; empty for all
    private List<Found> read(TopicScan scan, Optional<String> instance) {
        Map<String, Found> found = new HashMap<>();
        scan.read(fleet.name(Topic.JOURNAL), record -> journal(record, instance, found));
        List<LabelOrder> orders = new ArrayList<>();
        scan.read(fleet.name(Topic.OPERATOR), record -> {
            order(record.value()).ifPresent(orders::add);
        });
        return found.values().stream().filter(each -> orders.stream().noneMatch(order -> order.clears(each.label())))
                .sorted(Comparator.comparing((Found each) -> each.label().instanceKey())
                        .thenComparing(each -> each.label().added().label()))
                .toList();
    }

    /// Returns the records by which labels of others count for instances.
    ///
    /// @param instance the receiver; empty for all
    private List<ReceivedLabel> received(TopicScan scan, Optional<String> instance) {
        FleetLabels labels = new FleetLabels();
        scan.read(fleet.name(Topic.AGENT_LABEL), record -> labels.apply(record.partition(),
                record.key() == null ? "" : new String(record.key(), StandardCharsets.UTF_8), record.value(),
                record.timestamp()));
        return labels.records(instance.orElse(null));
    }

    /// Skips what workers skip, too.
    private static Optional<LabelOrder> order(byte @Nullable [] value) {
        try {
            return LabelOrder.isOne(value) && value != null ? Optional.of(ORDERS.read(value)) : Optional.empty();
        } catch (WireFormatException e) {
            return Optional.empty();
        }
    }

    private static void journal(ConsumerRecord<byte[], byte[]> record, Optional<String> instance,
            Map<String, Found> found) {
        if (record.key() == null)
            return;
        String key = new String(record.key(), StandardCharsets.UTF_8);
        Optional<String> named = InstanceLabel.instanceOf(key);
        if (named.isEmpty() || (instance.isPresent() && !instance.equals(named)))
            return;
        if (record.value() == null) {
            found.remove(key);
            return;
        }
        try {
            if (!(JournalEntry.read(record.value()) instanceof InstanceLabel label))
                return;
            if (label.counts())
                found.put(key, new Found(label, Instant.ofEpochMilli(record.timestamp())));
            else
                found.remove(key);
        } catch (WireFormatException e) {
            // An entry of a later version; workers of this version pass over it, too.
        }
    }
}
