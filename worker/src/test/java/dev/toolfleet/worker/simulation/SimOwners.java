package dev.toolfleet.worker.simulation;

import dev.toolfleet.topic.Topic;
import dev.toolfleet.wire.HandOver;
import dev.toolfleet.worker.identity.HandOvers;
import dev.toolfleet.worker.recovery.Recovery;
import org.jspecify.annotations.Nullable;

/// Answers of earlier owners, from the simulated cluster.
final class SimOwners implements Recovery.EarlierOwners {
    private static final int PAUSE_MILLIS = 200;

    private final SimCluster cluster;
    private final HandOvers handOvers;

    SimOwners(SimCluster cluster, HandOvers handOvers) {
        this.cluster = cluster;
        this.handOvers = handOvers;
    }

    /// Reads the topic only on request, which cannot be distinguished from following it all the time.
    @Override
    public @Nullable HandOver news(int partition, String identity) {
        cluster.fibers.sleep(cluster.random.nextInt(PAUSE_MILLIS));
        cluster.log(Topic.CALL_RESUMED, partition).committed()
                .forEach(record -> handOvers.apply(partition, "", record.value(), record.timestamp()));
        return handOvers.of(partition, identity);
    }

    @Override
    public boolean isMember(String memberId) {
        cluster.fibers.pause();
        return cluster.group.knows(memberId);
    }

    @Override
    public boolean hasLeft(String memberId) {
        return !isMember(memberId);
    }

    @Override
    public boolean catchUp(int partition) {
        SimLog log = cluster.log(Topic.CALL_RESUMED, partition);
        long end = log.end();
        return cluster.fibers.await(() -> log.stableEnd() >= end, PAUSE_MILLIS);
    }
}
