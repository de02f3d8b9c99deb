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
    private final Set<String> answered = new HashSet<>();
    private int count;

    Answers(SimCluster cluster) {
        this.cluster = cluster;
        this.positions = new long[cluster.most];
    }

    /// True if a call has its final result.
    ///
    /// @param mark of the call
    boolean isEnded(String mark) {
        follow();
        return ended.contains(mark);
    }

    /// True if every call has its last result that is not lost.
    boolean areComplete(History history) {
        follow();
        if (history.lost.isEmpty() && !history.forgotten.isAny())
            return count >= history.calls.size() - history.held.size();
        return history.calls.values().stream().filter(call -> !history.held.contains(call))
                .allMatch(call -> answered.contains(call.mark()));
    }

    private void follow() {
        for (int partition = 0; partition < positions.length; partition++) {
            SimLog.Read read = cluster.log(Topic.RESULT, partition).read(positions[partition], Integer.MAX_VALUE);
            positions[partition] = read.next();
            for (var record : read.records()) {
                ToolResult result = RESULTS.read(record.value());
                String mark = SimCall.mark(partition, result.callOffset(), result.toolCallId());
                if (result.isFinal() || result.replayed()) {
                    count++;
                    answered.add(mark);
                }
                if (result.isFinal() && !result.replayed())
                    ended.add(mark);
            }
        }
    }
}
