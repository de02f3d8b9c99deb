package dev.toolfleet.worker.simulation;

import java.util.HashSet;
import java.util.Set;

import dev.toolfleet.topic.Topic;
import dev.toolfleet.wire.ToolResult;
import dev.toolfleet.wire.WireCodec;

/// Follows the results of a world.
final class Answers {
    private static final WireCodec<ToolResult> RESULTS = WireCodec.of(ToolResult.class);

    private final SimCluster cluster;
    private final long[] positions;
    private final Set<String> ended = new HashSet<>();
    private int count;

    Answers(SimCluster cluster) {
        this.cluster = cluster;
        this.positions = new long[cluster.partitions];
    }

    /// How many records of calls have their last result.
    int count() {
        follow();
        return count;
    }

    /// Whether a call has its final result.
    boolean isEnded(int partition, long callOffset) {
        follow();
        return ended.contains(SimCall.key(partition, callOffset));
    }

    private void follow() {
        for (int partition = 0; partition < positions.length; partition++) {
            SimLog.Read read = cluster.log(Topic.RESULT, partition).read(positions[partition], Integer.MAX_VALUE);
            positions[partition] = read.next();
            for (var record : read.records()) {
                ToolResult result = RESULTS.read(record.value());
                if (result.isFinal() || result.replayed())
                    count++;
                if (result.isFinal() && !result.replayed())
                    ended.add(SimCall.key(partition, result.callOffset()));
            }
        }
    }
}
