package dev.toolfleet.worker.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import dev.toolfleet.error.ErrorCode;
import dev.toolfleet.wire.Completion;
import dev.toolfleet.wire.ToolError;
import dev.toolfleet.wire.ToolResult;

import static java.util.Objects.requireNonNull;

/// Only cancelled calls end as cancelled, and none is said not to have happened that has.
///
/// [SimHandler] checks that no worker starts a call that it knows to be cancelled, nor lets it run on; [SimTopology] that
/// handles are cancelled, and no others than those of cancelled calls.
final class CancelChecks {
    private final World world;
    private final Map<Integer, List<ToolResult>> results;
    private final List<String> violations = new ArrayList<>();

    CancelChecks(World world, Map<Integer, List<ToolResult>> results) {
        this.world = world;
        this.results = results;
    }

    List<String> violations() {
        results.forEach((partition, all) -> all.forEach(result -> {
            SimCall call = world.history.call(partition, result);
            if (call != null && !result.replayed() && !world.history.forgotten.isDoubtful(call)
                    && Checks.code(result).equals(ErrorCode.E_TOOL_CANCELLED.name()))
                cancelled(call, result);
        }));
        return violations;
    }

    private void cancelled(SimCall call, ToolResult result) {
        ToolError error = requireNonNull(result.error());
        Completion end = world.history.outcomes.get(call.mark());
        if (!world.history.cancels.mean(call) && (end == null || end.kind() != Completion.Kind.CANCELLED))
            violations.add("cancel nobody: " + call.key() + " got " + result + ", and nobody has cancelled it");
        // What may run twice leaves no note where it began. Of a call that was asked once more, its record gone or its answer
        // forgotten, the other one may have happened.
        if (String.valueOf(error.suggestion()).contains("did not happen") && call.kind().isJournaled()
                && !world.isForgetful() && !world.history.isLost(call.identity())
                && world.outside.hasHappened(call.identity()))
            violations.add("cancel begun: " + call.key() + " has happened and got " + result);
    }
}
