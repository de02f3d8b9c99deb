package dev.toolfleet.worker.simulation;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import dev.toolfleet.error.ErrorCode;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.wire.Completion;
import dev.toolfleet.wire.ResultStatus;
import dev.toolfleet.wire.ToolResult;
import dev.toolfleet.worker.assignment.Position;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

import static java.util.Objects.requireNonNull;

/// Checks of G1 for calls that finish later: one pending result, then one final one with the end of the work. Records
/// without a waiting call have no result, and every record that came is done.
final class LaterChecks {
    private final World world;
    private final Map<Integer, List<ToolResult>> results;
    private final List<String> violations = new ArrayList<>();

    LaterChecks(World world, Map<Integer, List<ToolResult>> results) {
        this.world = world;
        this.results = results;
    }

    List<String> violations() {
        results.forEach(this::finalResultsSayHowTheWorkEnded);
        results.keySet().forEach(this::everyOutcomeIsDone);
        return violations;
    }

    private void finalResultsSayHowTheWorkEnded(int partition, List<ToolResult> all) {
        Map<Long, ToolResult> waiting = new HashMap<>();
        for (ToolResult result : all) {
            SimCall call = world.history.call(partition, result);
            if (call != null && call.kind().asks())
                continue;
            if (call == null && world.history
                    .call(new Position(partition, 0, result.callOffset()), result.toolCallId()) != null)
                continue;
            // It may have been answered before, by another run.
            if (call != null && world.history.forgotten.isDoubtful(call))
                continue;
            if (call == null) {
                violations.add("G1 noise: nobody made the call of " + result);
            } else if (!result.isFinal() && !result.replayed()) {
                if (!call.kind().finishesLater() || waiting.put(result.callOffset(), result) != null)
                    violations.add("G1 duplicate: " + call.key() + " is pending once more: " + result);
            } else {
                ended(call, waiting.get(result.callOffset()), result);
            }
        }
    }

    private void ended(SimCall call, @Nullable ToolResult pending, ToolResult result) {
        Completion outcome = world.history.outcomes.get(call.mark());
        if (pending == null) {
            if (outcome != null)
                violations.add("G1 order: " + call.key() + " ended before it was pending: " + result);
        } else if (outcome == null) {
            violations.add("G1 noise: " + call.key() + " ended although its work had not: " + result);
        } else if (result.replayed() || !outcome.handle().equals(pending.handle()) || !says(result, outcome, call)) {
            violations.add("G1 outcome: " + call.key() + " got " + result + " for " + outcome);
        }
    }

    static boolean says(ToolResult result, Completion outcome, SimCall call) {
        return switch (outcome.kind()) {
            case COMPLETED -> call.endsLarge()
                    ? Checks.code(result).equals(ErrorCode.E_TOOL_RESULT_TOO_LARGE.name())
                    : result.status() == ResultStatus.OK && requireNonNull(outcome.output()).equals(result.output());
            case FAILED -> Checks.code(result).equals(requireNonNull(outcome.error()).code());
            case CANCELLED -> Checks.code(result).equals(ErrorCode.E_TOOL_CANCELLED.name());
            case PROGRESS, UNKNOWN -> false;
        };
    }

    /// The committed offset is behind the last record. None is committed as long as nothing was published, or when it has
    /// expired.
    private void everyOutcomeIsDone(int partition) {
        SimLog log = world.cluster.log(Topic.CALL_RESUMED, partition);
        OffsetAndMetadata committed = world.cluster.group
                .committed(new TopicPartition(Topic.CALL_RESUMED.baseName(), partition));
        if (committed != null) {
            if (!log.read(committed.offset(), 1).records().isEmpty())
                violations.add("G1 left: outcomes of partition " + partition + " behind " + committed.offset());
        } else if (!world.offsetsExpire && world.hazards.topicFault == TopicFault.NONE
                && requireNonNull(results.get(partition)).stream()
                        .anyMatch(result -> result.isFinal() && world.history.outcomes
                                .containsKey(SimCall.mark(partition, result.callOffset(), result.toolCallId())))) {
            violations.add("G1 left: no offset is committed of the outcomes of partition " + partition);
        }
    }
}
