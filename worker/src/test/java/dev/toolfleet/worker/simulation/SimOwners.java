package dev.toolfleet.worker.simulation;

import dev.toolfleet.topic.Topic;
import dev.toolfleet.wire.HandOver;
import dev.toolfleet.wire.ResumedCall;
import dev.toolfleet.wire.WireCodec;
import dev.toolfleet.worker.pipeline.Recovery;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

import static java.util.Objects.requireNonNull;

/// What earlier owners say, from the simulated cluster.
final class SimOwners implements Recovery.EarlierOwners {
    private static final WireCodec<ResumedCall> CODEC = WireCodec.of(ResumedCall.class);
    private static final long PAUSE_MILLIS = 200;

    private final SimCluster cluster;

    SimOwners(SimCluster cluster) {
        this.cluster = cluster;
    }

    @Override
    public @Nullable HandOver news(int partition, String identity) {
        cluster.fibers.sleep(cluster.random.nextInt((int) PAUSE_MILLIS));
        HandOver newest = null;
        for (ConsumerRecord<byte[], byte[]> record : cluster.log(Topic.CALL_RESUMED, partition).committed()) {
            HandOver said = CODEC.read(requireNonNull(record.value())).handOver();
            if (said != null && said.identity().equals(identity))
                newest = said;
        }
        return newest;
    }

    @Override
    public boolean isMember(String memberId) {
        cluster.fibers.pause();
        return cluster.group.knows(memberId);
    }

    @Override
    public boolean catchUp(int partition) {
        SimLog log = cluster.log(Topic.CALL_RESUMED, partition);
        long end = log.end();
        return cluster.fibers.await(() -> log.stableEnd() >= end, PAUSE_MILLIS);
    }
}
