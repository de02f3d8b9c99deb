package dev.toolfleet.worker.record;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import dev.toolfleet.topic.EventType;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.wire.AddedLabel;
import dev.toolfleet.wire.AgentAddress;
import dev.toolfleet.wire.AgentEvent;
import dev.toolfleet.wire.InstanceLabel;
import dev.toolfleet.wire.PublishedLabel;
import dev.toolfleet.wire.ReceivedLabel;
import dev.toolfleet.wire.WireCodec;
import dev.toolfleet.worker.agents.AgentSends;
import dev.toolfleet.worker.call.CallFacts;
import dev.toolfleet.worker.identity.PartitionState;
import dev.toolfleet.worker.identity.WrittenLabels;
import org.apache.kafka.clients.producer.ProducerRecord;

/// Records of `agent.label`: labels as the whole fleet knows them, and those that go with messages to other instances
/// (`docs/labels.md`). Thread-safe.
record SentLabels(RecordWriter writer) {
    private static final WireCodec<PublishedLabel> PUBLISHED = WireCodec.of(PublishedLabel.class);
    private static final WireCodec<ReceivedLabel> RECEIVED = WireCodec.of(ReceivedLabel.class);

    /// Records of an instance's own labels, for the transaction of the result that adds them.
    List<ProducerRecord<byte[], byte[]>> published(WrittenLabels written) {
        List<ProducerRecord<byte[], byte[]>> records = new ArrayList<>();
        for (InstanceLabel label : written.published()) {
            PublishedLabel known = PublishedLabel.of(label);
            records.add(writer.byKey(Topic.AGENT_LABEL, known.key(), PUBLISHED.write(known),
                    writer.headers(EventType.AGENT_LABEL, label.instanceKey())));
        }
        for (InstanceLabel label : written.cleared())
            records.add(writer.end(Topic.AGENT_LABEL, PublishedLabel.of(label).key(),
                    writer.headers(EventType.AGENT_LABEL, label.instanceKey())));
        return records;
    }

    /// Records for the messages that a call publishes with its result, for the same transaction. Must come after the
    /// result's own labels are noted: the message may have what the result has.
    List<ProducerRecord<byte[], byte[]>> sent(CallFacts run) {
        PartitionState state = run.state();
        AgentSends sends = run.sends();
        if (state == null || sends.events().isEmpty())
            return List.of();
        String sender = run.call().arrival().instanceKey();
        Map<String, ReceivedLabel> received = new LinkedHashMap<>();
        for (AgentEvent event : sends.events()) {
            String receiver = event.to().instanceKey();
            if (receiver.equals(sender))
                continue;
            for (AddedLabel label : state.labels().of(sender, receiver))
                put(received, ReceivedLabel.of(receiver, sender, event.id(), label));
            if (!sends.knowsLabels())
                put(received, ReceivedLabel.all(receiver, sender, event.id()));
            if (event.type() == AgentEvent.Type.DELEGATE)
                put(received, ReceivedLabel.all(sender, receiver, event.id()));
        }
        return received.values().stream().map(this::record).toList();
    }

    /// Records for a request that is sent by itself, while its handler waits. They are read back before the request is sent:
    /// each instance has the labels of the other from now on, those of results that are still to come, too.
    List<ProducerRecord<byte[], byte[]>> asked(AgentEvent event) {
        AgentAddress from = event.from();
        if (from == null || from.instanceKey().equals(event.to().instanceKey()))
            return List.of();
        String sender = from.instanceKey();
        String receiver = event.to().instanceKey();
        return List.of(record(ReceivedLabel.all(receiver, sender, event.id())),
                record(ReceivedLabel.all(sender, receiver, event.id())));
    }

    private static void put(Map<String, ReceivedLabel> received, ReceivedLabel label) {
        received.put(label.key(), label);
    }

    private ProducerRecord<byte[], byte[]> record(ReceivedLabel label) {
        return writer.byKey(Topic.AGENT_LABEL, label.key(), RECEIVED.write(label),
                writer.headers(EventType.AGENT_LABEL, label.instanceKey()));
    }
}
