package dev.toolfleet.worker.record;

import java.util.ArrayList;
import java.util.List;

import dev.toolfleet.topic.EventType;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.topic.TraceContext;
import dev.toolfleet.wire.AgentEvent;
import dev.toolfleet.wire.AgentInstance;
import dev.toolfleet.wire.WireCodec;
import dev.toolfleet.worker.agents.AgentSends;
import dev.toolfleet.worker.call.CallFacts;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;

/// Records of messages to agents. Pure.
final class AgentRecords {
    private static final WireCodec<AgentEvent> EVENTS = WireCodec.of(AgentEvent.class);
    private static final WireCodec<AgentInstance> INSTANCES = WireCodec.of(AgentInstance.class);

    private AgentRecords() {}

    /// An event that is sent by itself.
    public static ProducerRecord<byte[], byte[]> of(RecordWriter writer, AgentEvent event) {
        return record(writer, event, null);
    }

    /// Instances first: who hears of one by its event finds it announced.
    static List<ProducerRecord<byte[], byte[]>> of(RecordWriter writer, CallFacts run) {
        AgentSends sends = run.sends();
        TraceContext trace = run.context();
        List<ProducerRecord<byte[], byte[]>> records = new ArrayList<>();
        for (AgentInstance instance : sends.instances())
            records.add(writer.byKey(Topic.AGENT_INSTANCE, instance.key(), INSTANCES.write(instance),
                    writer.headers(EventType.AGENT_INSTANCE, instance.key())));
        for (AgentEvent event : sends.events())
            records.add(record(writer, event, trace));
        return records;
    }

    private static ProducerRecord<byte[], byte[]> record(RecordWriter writer, AgentEvent event,
            @Nullable TraceContext trace) {
        return writer.byKey(Topic.AGENT_EVENT, event.to().instanceKey(), EVENTS.write(event),
                writer.headers(EventType.AGENT_EVENT, event.id(), event.to().instanceKey(), trace));
    }
}
