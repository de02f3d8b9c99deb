package dev.toolfleet.worker.simulation;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import dev.toolfleet.error.ErrorCode;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.wire.AuditEvent;
import dev.toolfleet.wire.Completion;
import dev.toolfleet.wire.ResultStatus;
import dev.toolfleet.wire.ToolResult;
import dev.toolfleet.wire.WireCodec;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

/// Checks of calls that a person has to approve: a call without approval does not happen, each approval is used once,
/// and the final result shows the last decision, or the outcome of the run that it allowed.
final class ApprovalChecks {
    private static final WireCodec<AuditEvent> AUDIT = WireCodec.of(AuditEvent.class);

    private final World world;
    private final Map<Integer, List<ToolResult>> results;
    private final List<String> violations = new ArrayList<>();

    ApprovalChecks(World world, Map<Integer, List<ToolResult>> results) {
        this.world = world;
        this.results = results;
    }

    List<String> violations() {
        results.forEach(this::everyQuestionIsAnsweredBeforeTheNext);
        everyApprovalIsUsedOnce();
        return violations;
    }

    private void everyQuestionIsAnsweredBeforeTheNext(int partition, List<ToolResult> all) {
        Map<Long, ToolResult> waiting = new HashMap<>();
        for (ToolResult result : all) {
            SimCall call = world.history.call(partition, result);
            if (call == null || !call.kind().asks() || result.replayed()
                    || world.history.forgotten.isDoubtful(call))
                continue;
            ToolResult before = result.isFinal()
                    ? waiting.get(result.callOffset())
                    : waiting.put(result.callOffset(), result);
            if (before != null)
                answered(call, String.valueOf(before.handle()), result);
        }
    }

    /// @param result the next one after the call waited for that handle
    private void answered(SimCall call, String handle, ToolResult result) {
        Completion outcome = world.history.endings.get(call.mark() + handle);
        if (outcome != null) {
            if (!result.isFinal() || !LaterChecks.says(result, outcome, call))
                violations.add("G1 outcome: " + call.key() + " got " + result + " for " + outcome);
        } else if (!world.history.isApproved(call, handle)) {
            violations.add("G1 noise: " + call.key() + " went on although nobody had decided: " + result);
        } else if (result.status() == ResultStatus.OK && !result.isFinal()) {
            violations.add("G1 outcome: " + call.key() + " got " + result);
        }
    }

    private void everyApprovalIsUsedOnce() {
        Set<String> used = new HashSet<>();
        for (int partition = 0; partition < world.cluster.partitions; partition++) {
            for (ConsumerRecord<byte[], byte[]> record : world.cluster.log(Topic.AUDIT, partition).committed()) {
                AuditEvent event = AUDIT.read(record.value());
                if (event.action().equals("approval-used") && !used.add(String.valueOf(event.handle())))
                    violations.add("G1 duplicate: approval " + event.handle() + " was used twice");
            }
        }
        results.values().stream().flatMap(List::stream)
                .filter(result -> result.error() != null && isApproval(result) && used.contains(result.handle()))
                .forEach(result -> violations.add("G1 outcome: used and " + result));
    }

    private static boolean isApproval(ToolResult result) {
        String code = Checks.code(result);
        return code.equals(ErrorCode.E_TOOL_APPROVAL_REJECTED.name())
                || code.equals(ErrorCode.E_TOOL_APPROVAL_EXPIRED.name());
    }

    /// Why a handler must not have started; null when it may.
    static @Nullable String unapproved(World world, SimCall call) {
        if (!call.kind().asks() || world.history.isApproved(call, null))
            return null;
        return SimPolicy.Change.of(world, call.argument()) == SimPolicy.Change.ALLOWED ? null : "nobody approved it";
    }
}
