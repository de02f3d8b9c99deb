package dev.toolfleet.worker.simulation;

import java.util.LinkedHashMap;
import java.util.Map;

import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;

/// One transaction as its coordinator knows it: open, then decided, then complete when every marker is written.
final class SimTransaction {
    enum State {
        OPEN, COMMITTING, ABORTING, COMPLETE
    }

    private final String id;
    final long startedAt;
    final Map<SimLog, SimLog.Slice> slices = new LinkedHashMap<>();
    final Map<TopicPartition, OffsetAndMetadata> offsets = new LinkedHashMap<>();
    State state = State.OPEN;
    boolean committed;

    SimTransaction(String id, long startedAt) {
        this.id = id;
        this.startedAt = startedAt;
    }

    boolean isOpen() {
        return state == State.OPEN;
    }

    boolean isComplete() {
        return state == State.COMPLETE;
    }

    @Override
    public String toString() {
        return id + " since " + startedAt + " " + slices.keySet() + " " + offsets;
    }
}
