package dev.toolfleet.console.page;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

import dev.toolfleet.client.HandleState;
import dev.toolfleet.client.SentCall;
import dev.toolfleet.client.StepCatalogView;
import dev.toolfleet.client.approval.OpenApproval;
import dev.toolfleet.client.letter.Letter;
import dev.toolfleet.client.letter.LetterFilter;
import dev.toolfleet.gateway.calls.Answer;
import dev.toolfleet.gateway.calls.TopicPosition;
import dev.toolfleet.gateway.lists.ErrorFilter;
import dev.toolfleet.gateway.lists.ErrorPage;
import dev.toolfleet.gateway.lists.FleetLists;
import dev.toolfleet.gateway.lists.InstanceViews;
import dev.toolfleet.gateway.lists.LetterPage;
import dev.toolfleet.gateway.rest.FleetWriter;
import dev.toolfleet.identity.CallIdentity;
import dev.toolfleet.resources.FleetResources;
import dev.toolfleet.wire.Callback;
import dev.toolfleet.wire.CancelCall;
import dev.toolfleet.wire.Completion;
import dev.toolfleet.wire.Decision;
import dev.toolfleet.wire.PendingCall;
import dev.toolfleet.wire.StepEnded;
import dev.toolfleet.wire.StepStarted;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.wire.ToolErrorEvent;
import org.jspecify.annotations.Nullable;

/// Fleet in memory: open handles, errors and letters, and the decisions that were sent. Thread-safe.
final class MemoryFleet implements FleetWriter, FleetLists {
    final List<Decision> decisions = Collections.synchronizedList(new ArrayList<>());
    final List<ToolErrorEvent> errors = Collections.synchronizedList(new ArrayList<>());
    final List<Letter> letters = Collections.synchronizedList(new ArrayList<>());
    final List<ToolCall> calls = Collections.synchronizedList(new ArrayList<>());
    final Map<String, PendingCall> pending = new ConcurrentHashMap<>();

    @Override
    public SentRequest call(ToolCall call, Duration wait, @Nullable String traceparent, @Nullable Callback callback) {
        calls.add(call);
        return new SentRequest(CompletableFuture.completedFuture(new SentCall(
                CallIdentity.of(call, 0, calls.size()), 0, calls.size())),
                new CompletableFuture<>());
    }

    @Override
    public CompletionStage<StepCatalogView> beginStep(StepStarted step) {
        // No catalog service answers.
        return new CompletableFuture<>();
    }

    @Override
    public CompletionStage<Void> endStep(StepEnded step) {
        return CompletableFuture.completedFuture(null);
    }

    @Override
    public CompletionStage<Void> cancel(CancelCall cancel) {
        return CompletableFuture.completedFuture(null);
    }

    @Override
    public CompletionStage<HandleState> handle(String handle) {
        PendingCall call = pending.get(handle);
        return CompletableFuture.completedFuture(call == null
                ? new HandleState.Unknown(handle)
                : new HandleState.Open(call, Optional.empty()));
    }

    @Override
    public CompletionStage<Void> complete(Completion completion) {
        return CompletableFuture.completedFuture(null);
    }

    @Override
    public CompletionStage<Void> decide(Decision decision) {
        decisions.add(decision);
        return CompletableFuture.completedFuture(null);
    }

    @Override
    public FleetResources resources() {
        return FleetResources.EMPTY;
    }

    @Override
    public InstanceViews views() {
        return InstanceViews.NONE;
    }

    @Override
    public Answer<List<OpenApproval>> approvals(Predicate<OpenApproval> wanted) {
        return new Answer.Found<>(pending.values().stream().map(OpenApproval::of).filter(wanted).toList());
    }

    @Override
    public Answer<ErrorPage> errors(ErrorFilter filter, @Nullable TopicPosition after, int limit) {
        return new Answer.Found<>(new ErrorPage(errors.stream().filter(filter::selects).toList(),
                new TopicPosition(new TreeMap<>()), true));
    }

    @Override
    public Answer<LetterPage> letters(LetterFilter filter, boolean all, int limit) {
        return new Answer.Found<>(new LetterPage(List.copyOf(letters), 0));
    }
}
