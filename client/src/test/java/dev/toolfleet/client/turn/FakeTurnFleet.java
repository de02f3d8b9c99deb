package dev.toolfleet.client.turn;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import dev.toolfleet.client.StepCatalogView;
import dev.toolfleet.client.ToolFleetClientException;
import dev.toolfleet.client.ToolFleetClientException.Reason;
import dev.toolfleet.wire.ResultStatus;
import dev.toolfleet.wire.StepEnded;
import dev.toolfleet.wire.StepStarted;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.wire.ToolError;
import dev.toolfleet.wire.ToolResult;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.StringNode;

import static java.util.Objects.requireNonNull;

/// Fleet in memory: notes everything, and a test completes the results.
final class FakeTurnFleet implements TurnFleet {
    final List<String> events = new ArrayList<>();
    final List<ToolCall> calls = new ArrayList<>();
    private final Map<String, Runnable> onCall = new HashMap<>();
    final Map<String, CompletableFuture<ToolResult>> first = new HashMap<>();
    final Map<String, CompletableFuture<ToolResult>> last = new HashMap<>();

    @Override
    public CompletionStage<StepCatalogView> beginStep(StepStarted step) {
        events.add("begin " + step.stepId());
        return CompletableFuture.completedFuture(new StepCatalogView(step.instanceKey(), step.agentName(),
                step.turnId(), step.stepId(), "digest-" + step.stepIndex(), List.of()));
    }

    @Override
    public CompletionStage<Void> endStep(StepEnded step) {
        events.add("end " + step.stepId());
        return CompletableFuture.completedFuture(null);
    }

    @Override
    public SentCallResults call(ToolCall call) {
        events.add("call " + call.id());
        calls.add(call);
        SentCallResults results = new SentCallResults(
                first.computeIfAbsent(call.id(), id -> new CompletableFuture<>()),
                last.computeIfAbsent(call.id(), id -> new CompletableFuture<>()));
        onCall.getOrDefault(call.id(), () -> {}).run();
        return results;
    }

    /// Does something once the call is sent.
    void onCall(String id, Runnable work) {
        onCall.put(id, work);
    }

    void finish(String id, ToolResult result) {
        first.computeIfAbsent(id, key -> new CompletableFuture<>()).complete(result);
        last.computeIfAbsent(id, key -> new CompletableFuture<>()).complete(result);
    }

    void suspend(String id) {
        first.computeIfAbsent(id, key -> new CompletableFuture<>()).complete(result(id, ResultStatus.PENDING,
                "ordered", "h-" + id, null));
    }

    void lose(String id, String problem) {
        ToolFleetClientException lost = new ToolFleetClientException(Reason.NOT_SENT, problem, null);
        first.put(id, CompletableFuture.failedFuture(lost));
        last.put(id, CompletableFuture.failedFuture(lost));
    }

    CompletableFuture<ToolResult> lastOf(String id) {
        return requireNonNull(last.get(id));
    }

    static ToolResult ok(String id, String output) {
        return result(id, ResultStatus.OK, output, null, null);
    }

    static ToolResult failed(String id, ToolError error) {
        return result(id, ResultStatus.ERROR, null, null, error);
    }

    private static ToolResult result(String id, ResultStatus status, @Nullable String output, @Nullable String handle,
            @Nullable ToolError error) {
        return new ToolResult(id, "shop__print", status, output == null ? null : StringNode.valueOf(output), handle,
                error, "chat-1", "clerk", "t", "t-step-1", 1, false, null, 0, null, null);
    }
}
