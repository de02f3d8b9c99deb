package dev.toolfleet.gateway.topology;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import dev.toolfleet.gateway.calls.CallDecision;
import dev.toolfleet.gateway.calls.CallEvent;
import dev.toolfleet.gateway.calls.CallEvents;
import dev.toolfleet.gateway.calls.CallId;
import dev.toolfleet.gateway.calls.CallStage;
import dev.toolfleet.gateway.calls.CallView;
import dev.toolfleet.gateway.calls.CallWait;
import dev.toolfleet.gateway.calls.EventId;
import dev.toolfleet.wire.CallDecoder;
import dev.toolfleet.wire.Decision;
import dev.toolfleet.wire.DecodedCall;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.wire.ToolProgress;
import dev.toolfleet.wire.ToolResult;
import dev.toolfleet.wire.WireCodec;
import dev.toolfleet.wire.WireFormatException;
import org.jspecify.annotations.Nullable;

/// Parts of one call, and what they amount to: its view and its events. Pure.
///
/// **Contract.** The same set of parts has the same view and the same events, in whatever order the parts came.
final class CallHistory {
    private static final WireCodec<CallWait> WAITS = WireCodec.of(CallWait.class);
    private static final WireCodec<Decision> DECISIONS = WireCodec.of(Decision.class);
    private static final WireCodec<ToolProgress> PROGRESS = WireCodec.of(ToolProgress.class);
    private static final WireCodec<ToolResult> RESULTS = WireCodec.of(ToolResult.class);

    private final CallId id;
    private @Nullable StoredCall stored;
    private final Map<String, CallWait> waits = new LinkedHashMap<>();
    private final Set<String> ended = new HashSet<>();
    private final List<CallDecision> decisions = new ArrayList<>();
    private final List<Reported> reports = new ArrayList<>();
    private final List<Answered> answers = new ArrayList<>();

    /// Record of one of the two topics with events.
    private sealed interface Entry {
        long offset();

        Instant at();
    }

    private record Reported(long offset, Instant at, ToolProgress progress) implements Entry {}

    private record Answered(long offset, Instant at, ToolResult result) implements Entry {}

    CallHistory(CallId id) {
        this.id = id;
    }

    /// Adds a part. One that this version cannot read is left out.
    void add(byte[] key, byte[] value) {
        try {
            switch (Part.of(key)) {
                case CALL -> stored = StoredCall.read(value);
                case WAIT -> waits.put(Part.handle(key), WAITS.read(Part.afterTime(value)));
                case END -> ended.add(Part.handle(key));
                case DECISION -> decisions.add(decision(value));
                case PROGRESS -> reports.add(new Reported(Part.offset(key), at(value),
                        PROGRESS.read(Part.afterTime(value))));
                case RESULT -> answers.add(new Answered(Part.offset(key), at(value),
                        RESULTS.read(StoredResult.read(value).record())));
            }
        } catch (WireFormatException e) {
            // Written by another version; the other parts still count.
        }
    }

    private static CallDecision decision(byte[] value) {
        Decision decision = DECISIONS.read(Part.afterTime(value)).kept();
        return new CallDecision(decision.handle(), decision.decision(), decision.by(), decision.reason(), at(value));
    }

    private static Instant at(byte[] value) {
        return Instant.ofEpochMilli(Part.time(value));
    }

    /// Returns the view; empty while the call's own record is not read.
    Optional<CallView> view() {
        return call().map(call -> {
            ToolResult result = finalAnswer().map(Answered::result).orElse(null);
            ToolResult pending = latestPending().map(Answered::result).orElse(null);
            ToolProgress progress = result != null ? null : latestReport().map(Reported::progress).orElse(null);
            CallWait open = result != null ? null : openWait().orElse(null);
            decisions.sort(Comparator.comparing(CallDecision::at).thenComparing(CallDecision::handle)
                    .thenComparing(CallDecision::verdict));
            return new CallView(id, call, acceptedAt(), stage(open, pending, result), progress, pending, open,
                    decisions, result, latest());
        });
    }

    private Optional<ToolCall> call() {
        StoredCall of = stored;
        return of == null ? Optional.empty() : read(of.record());
    }

    private Instant acceptedAt() {
        return stored == null ? Instant.EPOCH : Instant.ofEpochMilli(stored.at());
    }

    private CallStage stage(@Nullable CallWait open, @Nullable ToolResult pending, @Nullable ToolResult result) {
        return result != null
                ? CallStage.ENDED
                : StageRule.stage(open, pending == null ? null : pending.handle(), ended, !reports.isEmpty());
    }

    private Optional<CallWait> openWait() {
        return StageRule.openWait(waits.values(), ended);
    }

    /// The first final result by its offset.
    private Optional<Answered> finalAnswer() {
        return answers.stream().filter(answer -> answer.result().isFinal())
                .min(Comparator.comparingLong(Answered::offset));
    }

    private Optional<Answered> latestPending() {
        return answers.stream().filter(answer -> !answer.result().isFinal())
                .max(Comparator.comparingLong(Answered::offset));
    }

    private Optional<Reported> latestReport() {
        return reports.stream().max(Comparator.comparingLong(Reported::offset));
    }

    private EventId latest() {
        EventId id = EventId.ACCEPTED;
        for (Entry entry : inOrder())
            id = seen(id, entry);
        return id;
    }

    /// Returns the events behind an id; empty while the call's own record is not read.
    ///
    /// @param after null for all
    Optional<CallEvents> events(@Nullable EventId after) {
        return call().map(call -> {
            List<CallEvent> events = new ArrayList<>();
            if (after == null)
                events.add(new CallEvent.Accepted(EventId.ACCEPTED, acceptedAt(), call));
            EventId last = after == null ? EventId.ACCEPTED : after;
            for (Entry entry : inOrder()) {
                if (after != null && isSeen(after, entry))
                    continue;
                last = seen(last, entry);
                events.add(event(last, entry));
            }
            return new CallEvents(events, finalAnswer().isPresent());
        });
    }

    /// True for a record that a reader with this id has got before.
    private static boolean isSeen(EventId after, Entry entry) {
        return switch (entry) {
            case Reported reported -> reported.offset() < after.progress();
            case Answered answered -> answered.offset() < after.result();
        };
    }

    private static EventId seen(EventId id, Entry entry) {
        return switch (entry) {
            case Reported reported -> id.withProgress(reported.offset());
            case Answered answered -> id.withResult(answered.offset());
        };
    }

    private CallEvent event(EventId event, Entry entry) {
        return switch (entry) {
            case Reported(_, Instant at, ToolProgress progress) -> new CallEvent.Progress(event, at, progress);
            case Answered(_, Instant at, ToolResult result) when result.isFinal() ->
                new CallEvent.Result(event, at, result);
            case Answered(_, Instant at, ToolResult result) ->
                new CallEvent.Pending(event, at, result, waitOf(result).orElse(null));
        };
    }

    private Optional<CallWait> waitOf(ToolResult pending) {
        String handle = pending.handle();
        return handle == null || ended.contains(handle) ? Optional.empty() : Optional.ofNullable(waits.get(handle));
    }

    /// Progress and results by time; the final result last, and nothing behind it.
    private List<Entry> inOrder() {
        Optional<Answered> end = finalAnswer();
        List<Entry> entries = new ArrayList<>();
        if (end.isEmpty())
            entries.addAll(reports);
        answers.stream().filter(answer -> !answer.result().isFinal())
                .filter(answer -> end.isEmpty() || answer.offset() < end.get().offset()).forEach(entries::add);
        entries.sort(Comparator.comparing(Entry::at).thenComparing(entry -> entry instanceof Answered)
                .thenComparingLong(Entry::offset));
        end.ifPresent(entries::add);
        return entries;
    }

    /// Reads the record of a call. Returns the readable parts of a malformed one, or nothing.
    static Optional<ToolCall> read(byte[] record) {
        return switch (CallDecoder.decode(null, record)) {
            case DecodedCall.Valid(ToolCall call) -> Optional.of(call);
            case DecodedCall.Malformed malformed -> Optional.ofNullable(malformed.caller());
        };
    }
}
