package dev.toolfleet.worker.simulation;

import java.util.LinkedHashMap;
import java.util.Map;

import org.apache.kafka.clients.consumer.OffsetAndMetadata;

/// One transaction as its coordinator knows it: open, then decided, then complete when every marker is written.
final class SimTransaction {
    enum State {
        OPEN, COMMITTING, ABORTING, COMPLETE
    }

    final long startedAt;
    final Map<SimLog, SimLog.Slice> slices = new LinkedHashMap<>();
    final Map<Integer, OffsetAndMetadata> offsets = new LinkedHashMap<>();
    State state = State.OPEN;
    boolean committed;

    SimTransaction(long startedAt) {
        this.startedAt = startedAt;
    }

    boolean isOpen() {
        return state == State.OPEN;
    }

    boolean isComplete() {
        return state == State.COMPLETE;
    }
}
