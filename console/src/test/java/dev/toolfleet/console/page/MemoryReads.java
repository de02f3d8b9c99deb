package dev.toolfleet.console.page;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;

import dev.toolfleet.gateway.calls.Answer;
import dev.toolfleet.gateway.calls.CallEvent;
import dev.toolfleet.gateway.calls.CallEvents;
import dev.toolfleet.gateway.calls.CallFilter;
import dev.toolfleet.gateway.calls.CallId;
import dev.toolfleet.gateway.calls.CallPage;
import dev.toolfleet.gateway.calls.CallReads;
import dev.toolfleet.gateway.calls.CallStage;
import dev.toolfleet.gateway.calls.CallSummary;
import dev.toolfleet.gateway.calls.CallView;
import dev.toolfleet.gateway.calls.CallWait;
import dev.toolfleet.gateway.calls.EventId;
import dev.toolfleet.gateway.calls.FleetLoad;
import dev.toolfleet.gateway.calls.InstanceResults;
import dev.toolfleet.gateway.calls.ResultPosition;
import dev.toolfleet.gateway.calls.TopicPosition;
import dev.toolfleet.identity.CallIdentity;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.wire.ToolResult;
import org.jspecify.annotations.Nullable;

/// Read model in memory, of one partition. Thread-safe.
final class MemoryReads implements CallReads {
    private final ConcurrentSkipListMap<CallId, CallView> calls = new ConcurrentSkipListMap<>();
    private final Instant begin;

    MemoryReads(Instant begin) {
        this.begin = begin;
    }

    private CallId next() {
        return new CallId(0, calls.isEmpty() ? 0 : calls.lastKey().offset() + 1);
    }

    /// Adds a call without results.
    CallId accepted(ToolCall call) {
        CallId id = next();
        calls.put(id, new CallView(id, call, begin.plusMillis(id.offset() * 10), CallStage.ACCEPTED, null, null, null,
                List.of(), null, EventId.ACCEPTED));
        return id;
    }

    /// Adds a call with its final result.
    CallId ended(ToolCall call, ToolResult result) {
        CallId id = next();
        calls.put(id, new CallView(id, call, begin.plusMillis(id.offset() * 10), CallStage.ENDED, null, null, null,
                List.of(), result, new EventId(0, 1)));
        return id;
    }

    /// Adds a call that waits.
    CallId waits(ToolCall call, CallStage stage, CallWait wait) {
        CallId id = next();
        calls.put(id, new CallView(id, call, begin.plusMillis(id.offset() * 10), stage, null, null, wait, List.of(),
                null, new EventId(0, 1)));
        return id;
    }

    @Override
    public Answer<CallView> find(CallId id) {
        return Optional.ofNullable(calls.get(id)).<Answer<CallView>>map(Answer.Found::new)
                .orElseGet(() -> new Answer.Unknown<>("there is no call " + id));
    }

    @Override
    public Answer<CallEvents> events(CallId id, @Nullable EventId after, Duration wait) {
        CallView view = calls.get(id);
        if (view == null)
            return new Answer.Unknown<>("there is no call " + id);
        List<CallEvent> events = new ArrayList<>();
        events.add(new CallEvent.Accepted(EventId.ACCEPTED, view.acceptedAt(), view.call()));
        if (view.result() != null)
            events.add(new CallEvent.Result(new EventId(0, 1), view.acceptedAt().plusMillis(500), view.result()));
        return new Answer.Found<>(new CallEvents(events, view.result() != null));
    }

    @Override
    public Answer<CallId> callOf(String instanceKey, CallIdentity identity) {
        return new Answer.Unknown<>("not needed");
    }

    @Override
    public Answer<InstanceResults> results(String instanceKey, @Nullable ResultPosition after, int limit,
            Duration wait) {
        return new Answer.Found<>(new InstanceResults(List.of()));
    }

    private CallSummary summary(CallView view) {
        CallSummary summary = CallSummary.accepted(view.id(), view.call(), view.acceptedAt());
        ToolResult result = view.result();
        return result == null
                ? summary.in(view.stage(), false)
                : summary.ended(result.status(), result.error() == null ? null : result.error().code(),
                        view.acceptedAt().plusMillis(500), result.replayed());
    }

    @Override
    public Answer<CallPage> list(CallFilter filter, @Nullable TopicPosition before, int limit) {
        long below = before == null ? Long.MAX_VALUE : before.offsets().getOrDefault(0, Long.MAX_VALUE);
        List<CallSummary> found = calls.descendingMap().values().stream().filter(one -> one.id().offset() < below)
                .map(this::summary).filter(filter::selects).limit(limit + 1L).toList();
        boolean complete = found.size() <= limit;
        List<CallSummary> page = complete ? found : found.subList(0, limit);
        long reached = page.isEmpty() ? 0 : page.getLast().id().offset();
        return new Answer.Found<>(new CallPage(page, new TopicPosition(new TreeMap<>(Map.of(0, reached))), complete,
                null, Set.of()));
    }

    @Override
    public Answer<FleetLoad> load() {
        List<CallSummary> open = calls.values().stream().map(this::summary).filter(CallSummary::isOpen).toList();
        Map<CallStage, Long> stages = new TreeMap<>();
        open.forEach(one -> stages.merge(one.stage(), 1L, Long::sum));
        List<FleetLoad.ToolLoad> tools = open.isEmpty()
                ? List.of()
                : List.of(new FleetLoad.ToolLoad(open.getFirst().tool(), stages, open.getFirst().acceptedAt(),
                        open.getFirst().id()));
        List<FleetLoad.Minute> minutes = new ArrayList<>();
        for (int i = 0; i < FleetLoad.MINUTES; i++)
            minutes.add(new FleetLoad.Minute(begin.plusSeconds(60L * i), i, i, i / 10));
        return new Answer.Found<>(new FleetLoad(tools, List.of(), stages, minutes, Set.of()));
    }
}
