package dev.toolfleet.gateway.rest;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

import dev.toolfleet.client.HandleState;
import dev.toolfleet.client.SentCall;
import dev.toolfleet.client.StepCatalogView;
import dev.toolfleet.error.ErrorCode;
import dev.toolfleet.gateway.calls.CallId;
import dev.toolfleet.identity.CallIdentity;
import dev.toolfleet.identity.Fingerprint;
import dev.toolfleet.json.Json;
import dev.toolfleet.wire.Callback;
import dev.toolfleet.wire.CancelCall;
import dev.toolfleet.wire.Completion;
import dev.toolfleet.wire.Decision;
import dev.toolfleet.wire.ResultStatus;
import dev.toolfleet.wire.StepEnded;
import dev.toolfleet.wire.StepStarted;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.wire.ToolCatalogItem;
import dev.toolfleet.wire.ToolError;
import dev.toolfleet.wire.ToolResult;
import org.jspecify.annotations.Nullable;

/// Fleet in memory: it runs calls as a test directs it, each identity once, and fills the read model.
final class MemoryFleet implements FleetWriter {
    final MemoryCalls calls = new MemoryCalls();
    final List<ToolCall> sent = new ArrayList<>();
    final List<Optional<Callback>> callbacks = new ArrayList<>();
    final List<ToolCall> run = new ArrayList<>();
    final List<StepStarted> begun = new ArrayList<>();
    final List<StepEnded> ended = new ArrayList<>();
    final List<CancelCall> cancelled = new ArrayList<>();
    final List<Completion> completed = new ArrayList<>();
    final List<Decision> decided = new ArrayList<>();
    final List<ToolCatalogItem> tools = new ArrayList<>();
    final Map<String, HandleState> handles = new HashMap<>();
    /// True while the read model has not read the call yet.
    boolean readModelIsBehind;
    /// True while the broker confirms nothing.
    boolean brokerIsAway;
    private final Map<CallIdentity, ToolResult> answers = new HashMap<>();
    private Function<ToolCall, @Nullable ToolResult> tool = call -> ok(call, 0);
    private long next;
    private String digest = "sha256:00";

    /// Decides about results; null for a call that takes long.
    void answering(Function<ToolCall, @Nullable ToolResult> newTool) {
        tool = newTool;
    }

    static ToolResult ok(ToolCall call, long offset) {
        return result(call, offset, ResultStatus.OK, null, null);
    }

    static ToolResult pending(ToolCall call, String handle) {
        return result(call, 0, ResultStatus.PENDING, handle, null);
    }

    static ToolResult failed(ToolCall call, ErrorCode code) {
        return result(call, 0, ResultStatus.ERROR, null, ToolError.of(code, "it failed"));
    }

    private static ToolResult result(ToolCall call, long offset, ResultStatus status, @Nullable String handle,
            @Nullable ToolError error) {
        return new ToolResult(call.id(), call.name(), status,
                error == null ? Json.MAPPER.createObjectNode().put("done", true) : null, handle, error,
                call.instanceKey(), call.agentName(), call.turnId(), call.stepId(), 1, false,
                Fingerprint.of(call.name(), call.args()), offset, null, null);
    }

    private static ToolResult replayed(ToolResult result) {
        return new ToolResult(result.toolCallId(), result.toolName(), result.status(), result.output(),
                result.handle(), result.error(), result.instanceKey(), result.agentName(), result.turnId(),
                result.stepId(), result.attempt(), true, result.fingerprint(), result.callOffset(), null, null);
    }

    @Override
    public synchronized SentRequest call(ToolCall call, Duration wait, @Nullable String traceparent,
            @Nullable Callback callback) {
        if (brokerIsAway)
            return new SentRequest(new CompletableFuture<>(), new CompletableFuture<>());
        sent.add(call);
        callbacks.add(Optional.ofNullable(callback));
        CallId id = new CallId(0, next++);
        if (!readModelIsBehind)
            calls.accepted(id, call);
        CallIdentity identity = CallIdentity.of(call, 0, id.offset());
        CompletableFuture<ToolResult> first = new CompletableFuture<>();
        ToolResult result = result(call, identity);
        if (result != null) {
            first.complete(result);
            if (!readModelIsBehind)
                calls.result(id, result);
        }
        return new SentRequest(CompletableFuture.completedFuture(new SentCall(identity, 0, id.offset())), first);
    }

    private @Nullable ToolResult result(ToolCall call, CallIdentity identity) {
        ToolResult earlier = answers.get(identity);
        if (earlier != null)
            return Fingerprint.of(call.name(), call.args()).equals(earlier.fingerprint())
                    ? replayed(earlier)
                    : failed(call, ErrorCode.E_CALL_IDENTITY_CONFLICT);
        run.add(call);
        ToolResult result = tool.apply(call);
        if (result != null)
            answers.put(identity, result);
        return result;
    }

    @Override
    public synchronized CompletionStage<StepCatalogView> beginStep(StepStarted step) {
        begun.add(step);
        notifyAll();
        return CompletableFuture.completedFuture(new StepCatalogView(step.instanceKey(), step.agentName(),
                step.turnId(), step.stepId(), digest, List.copyOf(tools)));
    }

    /// Adds a tool to the catalogs of later steps.
    synchronized void change(ToolCatalogItem tool, String newDigest) {
        tools.add(tool);
        digest = newDigest;
    }

    /// Waits until so many steps have begun.
    synchronized void awaitSteps(int count) throws InterruptedException {
        while (begun.size() < count)
            wait();
    }

    @Override
    public synchronized CompletionStage<Void> endStep(StepEnded step) {
        ended.add(step);
        return CompletableFuture.completedFuture(null);
    }

    @Override
    public synchronized CompletionStage<Void> cancel(CancelCall cancel) {
        cancelled.add(cancel);
        return CompletableFuture.completedFuture(null);
    }

    @Override
    public synchronized CompletionStage<HandleState> handle(String handle) {
        return CompletableFuture.completedFuture(handles.getOrDefault(handle, new HandleState.Unknown(handle)));
    }

    @Override
    public synchronized CompletionStage<Void> complete(Completion completion) {
        completed.add(completion);
        return CompletableFuture.completedFuture(null);
    }

    @Override
    public synchronized CompletionStage<Void> decide(Decision decision) {
        decided.add(decision);
        return CompletableFuture.completedFuture(null);
    }
}
