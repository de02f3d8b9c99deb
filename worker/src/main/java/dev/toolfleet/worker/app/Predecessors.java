package dev.toolfleet.worker.app;

import dev.toolfleet.wire.HandOver;
import dev.toolfleet.worker.pipeline.Recovery;
import dev.toolfleet.worker.state.GroupMembers;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;

/// What earlier owners of this worker's partitions say, and whether they still can.
record Predecessors(GroupMembers members) implements Recovery.EarlierOwners {
    private static final long PAUSE_MILLIS = 200;

    @Override
    public @Nullable HandOver news(int partition, String identity) throws InterruptedException {
        Thread.sleep(PAUSE_MILLIS);
        return null;
    }

    @Override
    public boolean isMember(String memberId) {
        try {
            return members.isMember(memberId);
        } catch (KafkaException e) {
            // Asked again: whoever is thought dead too early may still speak.
            return true;
        }
    }

    @Override
    public boolean catchUp(int partition) {
        return true;
    }
}
