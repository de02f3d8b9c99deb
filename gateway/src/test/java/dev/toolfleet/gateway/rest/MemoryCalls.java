package dev.toolfleet.gateway.rest;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

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
import dev.toolfleet.gateway.calls.LoadCount;
import dev.toolfleet.gateway.calls.ResultPosition;
import dev.toolfleet.gateway.calls.TopicPosition;
import dev.toolfleet.identity.CallIdentity;
import dev.toolfleet.wire.Progress;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.wire.ToolProgress;
import dev.toolfleet.wire.ToolResult;
import org.jspecify.annotations.Nullable;

/// Read model in memory, which a test fills. Thread-safe.
public final class MemoryCalls implements CallReads {
    private static final Instant NOW = Instant.parse("2026-11-24T12:00:00Z");

    private final Map<CallId, List<CallEvent>> events = new HashMap<>();
    private final Map<CallIdentity, CallId> identities = new HashMap<>();
    private final List<InstanceResults.One> results = new ArrayList<>();
    private final Map<CallId, CallWait> waits = new HashMap<>();
    private long offset;
    private Optional<String> unavailable = Optional.empty();

    /// Makes every read fail for now.
    public synchronized void unavailable(String reason) {
        unavailable = Optional.of(reason);
        notifyAll();
    }

    /// Adds a call.
    public synchronized void accepted(CallId id, ToolCall call) {
        events.computeIfAbsent(id, _ -> new ArrayList<>()).add(new CallEvent.Accepted(EventId.ACCEPTED, NOW, call));
        if (CallIdentity.isNamed(call))
            identities.putIfAbsent(CallIdentity.of(call, id.partition(), id.offset()), id);
        notifyAll();
    }

    /// Adds progress of a call.
    public synchronized void progress(CallId id, String message) {
        ToolCall call = call(id);
        add(id, new CallEvent.Progress(new EventId(++offset, last(id).result()), NOW,
                new ToolProgress(call.id(), call.name(), null, call.instanceKey(), call.agentName(), call.turnId(),
                        call.stepId(), new Progress(null, message), NOW)));
    }

    /// Adds a result of a call.
    public synchronized void result(CallId id, ToolResult result) {
        EventId at = new EventId(last(id).progress(), ++offset);
        if (result.isFinal())
            results.add(new InstanceResults.One(new ResultPosition(id.partition(), offset), id, result));
        add(id, result.isFinal()
                ? new CallEvent.Result(at, NOW, result)
                : new CallEvent.Pending(at, NOW, result, null));
    }

    /// Notes what a call waits for.
    synchronized void waits(CallId id, CallWait wait) {
        waits.put(id, wait);
    }

    private void add(CallId id, CallEvent event) {
        events.getOrDefault(id, new ArrayList<>()).add(event);
        notifyAll();
    }

    private ToolCall call(CallId id) {
        return ((CallEvent.Accepted) events.getOrDefault(id, List.of()).getFirst()).call();
    }

    private EventId last(CallId id) {
        return events.getOrDefault(id, List.of()).getLast().id();
    }

    @Override
    public synchronized Answer<CallView> find(CallId id) {
        if (unavailable.isPresent())
            return new Answer.Unavailable<>(unavailable.get());
        List<CallEvent> of = events.get(id);
        if (of == null)
            return new Answer.Unknown<>("no such record");
        ToolProgress progress = null;
        ToolResult pending = null;
        ToolResult result = null;
        for (CallEvent event : of) {
            switch (event) {
                case CallEvent.Accepted _ -> {
                }
                case CallEvent.Progress each -> progress = each.progress();
                case CallEvent.Pending each -> pending = each.result();
                case CallEvent.Result each -> result = each.result();
            }
        }
        CallStage stage = result != null ? CallStage.ENDED : pending != null ? CallStage.PENDING : CallStage.ACCEPTED;
        return new Answer.Found<>(new CallView(id, call(id), NOW, stage, progress, pending,
                result == null ? waits.get(id) : null, List.of(), result,
                last(id)));
    }

    @Override
    public synchronized Answer<CallEvents> events(CallId id, @Nullable EventId after, Duration wait) {
        if (unavailable.isPresent())
            return new Answer.Unavailable<>(unavailable.get());
        long until = System.nanoTime() + wait.toNanos();
        while (true) {
            List<CallEvent> of = events.get(id);
            if (of == null)
                return new Answer.Unknown<>("no such record");
            List<CallEvent> later = of.stream().filter(event -> after == null || isAfter(event.id(), after)).toList();
            boolean ended = of.getLast() instanceof CallEvent.Result;
            long left = (until - System.nanoTime()) / 1_000_000;
            if (!later.isEmpty() || ended || left <= 0)
                return new Answer.Found<>(new CallEvents(later, ended));
            try {
                wait(left);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return new Answer.Unavailable<>("interrupted");
            }
        }
    }

    private static boolean isAfter(EventId id, EventId other) {
        return id.progress() > other.progress() || id.result() > other.result();
    }

    @Override
    public synchronized Answer<CallId> callOf(String instanceKey, CallIdentity identity) {
        if (unavailable.isPresent())
            return new Answer.Unavailable<>(unavailable.get());
        CallId id = identities.get(identity);
        return id == null ? new Answer.Unknown<>("no such identity") : new Answer.Found<>(id);
    }

    @Override
    public synchronized Answer<InstanceResults> results(String instanceKey, @Nullable ResultPosition after, int limit,
            Duration wait) {
        if (after != null && after.partition() > 0)
            return new Answer.Unknown<>("there is one partition");
        long until = System.nanoTime() + wait.toNanos();
        while (true) {
            if (unavailable.isPresent())
                return new Answer.Unavailable<>(unavailable.get());
            List<InstanceResults.One> found = results.stream()
                    .filter(one -> one.result().instanceKey().equals(instanceKey)
                            && (after == null || one.at().offset() > after.offset()))
                    .limit(limit).toList();
            long left = (until - System.nanoTime()) / 1_000_000;
            if (!found.isEmpty() || left <= 0)
                return new Answer.Found<>(new InstanceResults(found));
            try {
                wait(left);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return new Answer.Unavailable<>("interrupted");
            }
        }
    }

    @Override
    public synchronized Answer<CallPage> list(CallFilter filter, @Nullable TopicPosition before, int limit) {
        if (unavailable.isPresent())
            return new Answer.Unavailable<>(unavailable.get());
        List<CallSummary> older = events.keySet().stream()
                .filter(id -> before == null
                        || id.offset() < before.offsets().getOrDefault(id.partition(), Long.MAX_VALUE))
                .map(this::summary).filter(filter::selects).sorted(CallSummary.NEWEST_FIRST).toList();
        SortedMap<Integer, Long> none = new TreeMap<>();
        events.keySet().forEach(id -> none.put(id.partition(), 0L));
        return new Answer.Found<>(
                new CallPage(older, new TopicPosition(none), true, null, Set.of()).first(limit));
    }

    private CallSummary summary(CallId id) {
        CallSummary summary = CallSummary.accepted(id, call(id), NOW.plusSeconds(id.offset()));
        for (CallEvent event : events.getOrDefault(id, List.of()))
            summary = switch (event) {
                case CallEvent.Accepted _ -> summary;
                case CallEvent.Progress _ -> summary.in(CallStage.RUNNING, false);
                case CallEvent.Pending each -> summary.in(CallStage.PENDING, each.result().replayed());
                case CallEvent.Result(_, Instant at, ToolResult result) -> summary.ended(result.status(),
                        result.error() == null ? null : result.error().code(), at, result.replayed());
            };
        return summary;
    }

    @Override
    public synchronized Answer<FleetLoad> load() {
        if (unavailable.isPresent())
            return new Answer.Unavailable<>(unavailable.get());
        LoadCount count = new LoadCount();
        count.addHour(NOW);
        events.keySet().forEach(id -> count.add(summary(id)));
        return new Answer.Found<>(count.load(10, Set.of()));
    }
}
