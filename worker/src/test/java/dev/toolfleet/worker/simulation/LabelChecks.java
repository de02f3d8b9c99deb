package dev.toolfleet.worker.simulation;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

import dev.toolfleet.topic.Topic;
import dev.toolfleet.wire.ResultStatus;
import dev.toolfleet.wire.ToolResult;
import dev.toolfleet.wire.WireCodec;

/// Calls that were written after a result of their instance was committed. Each result of a tool adds a label in these
/// worlds, so such a call must be ruled with one. An instance whose calls go to another partition, since partitions were
/// added, begins anew there (`docs/labels.md`).
final class LabelChecks {
    private static final WireCodec<ToolResult> RESULTS = WireCodec.of(ToolResult.class);

    private final SimCluster cluster;
    private final Map<Integer, Long> read = new HashMap<>();
    private final Set<String> labelled = new HashSet<>();
    private final Set<String> calls = new HashSet<>();

    LabelChecks(SimCluster cluster) {
        this.cluster = cluster;
    }

    /// Notes a call that is being written now.
    void asked(SimCall call) {
        SimLog results = cluster.log(Topic.RESULT, call.partition());
        long from = read.getOrDefault(call.partition(), 0L);
        long end = results.stableEnd();
        for (var record : results.committed()) {
            if (record.offset() >= from && record.offset() < end) {
                ToolResult result = RESULTS.read(record.value());
                if (result.status() == ResultStatus.OK)
                    labelled.add(call.partition() + " " + result.instanceKey());
            }
        }
        read.put(call.partition(), end);
        if (labelled.contains(call.partition() + " " + call.instance()))
            calls.add(call.mark());
    }

    /// True if the call was written after such a result.
    boolean mustHave(SimCall call) {
        return calls.contains(call.mark());
    }
}
