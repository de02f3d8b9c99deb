package dev.toolfleet.worker.completion;

import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Function;

import dev.toolfleet.bundle.PollSpec;
import dev.toolfleet.client.topics.KafkaHeaders;
import dev.toolfleet.streams.DeadLetters;
import dev.toolfleet.streams.Outgoing;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.topic.WireHeaders;
import dev.toolfleet.wire.CallOrigin;
import dev.toolfleet.wire.PendingCall;
import dev.toolfleet.wire.ToolRef;
import dev.toolfleet.wire.WireFormatException;
import dev.toolfleet.worker.completion.ModuleInquiries.Inquiry;
import org.apache.kafka.streams.processor.PunctuationType;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.processor.api.RecordMetadata;
import org.jspecify.annotations.Nullable;

/// Stream processor of one partition's handles: reads their events, lets [HandleLifecycle] decide, stores the new state and
/// sends the effects.
///
/// **Contract.** A failure while reading or deciding makes the record a dead letter. A failure while storing or sending
/// ends the thread.
final class HandleProcessor implements Processor<byte[], byte[], byte[], Outgoing> {
    static final String RESUMED_SINK = "to-call-resumed";
    static final String PROGRESS_SINK = "to-progress";
    static final String PENDING_SINK = "to-pending";
    static final String AUDIT_SINK = "to-audit";
    static final String LETTER_SINK = "handles-to-dead-letter";
    /// Longest delay of a timer. Streams commits after each check, even if no timer was due.
    static final Duration TICK = Duration.ofMillis(500);
    /// Most timers of one check. Later ones wait for the next, so that records are read in between.
    static final int DUE_PER_TICK = 1_000;

    private final CompletionSetup setup;
    private final HandleDeadLetters letters;
    private @Nullable Bound bound;

    /// Objects of one task: the context and stores that Streams provides, and the inquiries.
    private record Bound(ProcessorContext<byte[], Outgoing> context, HandleStores stores, HandleRecords records,
            ModuleInquiries inquiries) {}

    HandleProcessor(CompletionSetup setup) {
        this.setup = setup;
        this.letters = new HandleDeadLetters(setup);
    }

    @Override
    public void init(ProcessorContext<byte[], Outgoing> context) {
        // Streams may begin a task again with this object after its transaction was aborted.
        bound = new Bound(context, new HandleStores(context),
                new HandleRecords(setup.worker(), context.taskId().partition()), new ModuleInquiries());
        context.schedule(TICK, PunctuationType.WALL_CLOCK_TIME, time -> tick());
    }

    @Override
    public void process(Record<byte[], byte[]> record) {
        Optional<RecordMetadata> metadata = bound().context().recordMetadata();
        // The tombstone is this topology's own; for any other the store is right.
        if (record.value() == null)
            return;
        boolean pending = metadata.map(RecordMetadata::topic).orElse("").equals(setup.name(Topic.PENDING));
        Change change;
        try {
            change = pending ? pended(record) : told(record);
        } catch (WireFormatException e) {
            refuse(record, metadata, HandleDeadLetters.MALFORMED, String.valueOf(e.getMessage()));
            if (pending)
                endUnusable(record, String.valueOf(e.getMessage()));
            return;
        } catch (IllegalArgumentException | IllegalStateException | ClassCastException | NullPointerException
                | ArithmeticException | DateTimeException e) {
            refuse(record, metadata, HandleDeadLetters.FAILED, e.toString());
            if (pending)
                endUnusable(record, "the fleet failed with " + e.getClass().getSimpleName());
            return;
        }
        carryOut(change, record.value());
    }

    /// Answers the caller of a pending call that cannot be kept. Otherwise: no later record ever ends that call.
    private void endUnusable(Record<byte[], byte[]> record, String reason) {
        if (record.key() == null)
            return;
        String key = new String(record.key(), StandardCharsets.UTF_8);
        UnusablePending.read(record.value(), setup.callPartitions(), setup.clock().instant()).ifPresent(call -> {
            HandleLifecycle state = bound().stores().state(key);
            HandleEffect.Outcome end = PendingOutcomes.unusable(call, record.value().length > PendingCall.MAX_BYTES,
                    reason);
            carryOut(new Change(key, state, UnusablePending.end(state, end)), null);
        });
    }

    /// Step of a handle, with its state before.
    private record Change(String handle, HandleLifecycle before, HandleLifecycle.Transition step) {}

    private Change pended(Record<byte[], byte[]> record) {
        PendingCall call = HandleInput.pending(record, setup.callPartitions());
        HandleLifecycle state = bound().stores().state(call.handle());
        return new Change(call.handle(), state, state.pended(call, moment(call)));
    }

    private Change told(Record<byte[], byte[]> record) {
        HandleMessage told = HandleMessage.read(HandleInput.raw(record, setup.topics()));
        String handle = new String(record.key(), StandardCharsets.UTF_8);
        HandleLifecycle state = bound().stores().state(handle);
        return new Change(handle, state, state.told(told, moment(Optional.empty())));
    }

    private void tick() {
        Bound in = bound();
        for (ModuleInquiries.Answered answered : in.inquiries().take()) {
            String handle = answered.inquiry().handle();
            decide(handle, state -> state.answered(answered.answer(), moment(state)));
        }
        for (HandleStores.Entry entry : in.stores().due(setup.clock().instant(), DUE_PER_TICK)) {
            decide(entry.handle(), state -> {
                if (state instanceof UnreadableHandle unreadable && !unreadable.actsOn(entry.due())) {
                    in.stores().pass(entry);
                    return HandleLifecycle.Transition.of(state);
                }
                if (state instanceof UnreadableHandle || state.dues().contains(entry.due()))
                    return state.due(entry.due(), moment(state));
                // The entry belongs to a state that ended without knowing its entries.
                in.stores().drop(entry);
                return HandleLifecycle.Transition.of(state);
            });
        }
        in.inquiries().begin(this::begin);
    }

    private void decide(String handle, Function<HandleLifecycle, HandleLifecycle.Transition> event) {
        HandleLifecycle state = bound().stores().state(handle);
        carryOut(new Change(handle, state, event.apply(state)), null);
    }

    private boolean begin(Inquiry inquiry, ModuleInquiries inquiries) {
        byte[] value = bound().stores().call(inquiry.handle());
        PendingCall call = value == null ? null : HandleInput.PENDING.read(value);
        if (call == null || !CallPlace.of(call).equals(inquiry.call())) {
            inquiries.answered(inquiry, new ModuleAnswer.Silent(inquiry.call()));
            return true;
        }
        return setup.modules().start(inquiry.what(), call, answer -> inquiries.answered(inquiry, answer));
    }

    /// @param pending the value on `tool.pending`, if that was the event
    private void carryOut(Change change, byte @Nullable [] pending) {
        Bound in = bound();
        String handle = change.handle();
        HandleLifecycle.Transition step = change.step();
        // Read before the change, which may end the call: then the stores do not keep it any more.
        byte[] whole = step.effects().stream()
                .noneMatch(
                        effect -> effect instanceof HandleEffect.Approved || effect instanceof HandleEffect.ShowCount)
                                ? null
                                : change.before().keepsCall() ? in.stores().call(handle) : pending;
        in.stores().change(handle, change.before(), step.next(), pending);
        if (step.next() instanceof PendingHandle && !(change.before() instanceof PendingHandle))
            setup.meters().handleOpened();
        Instant now = setup.clock().instant();
        for (HandleEffect effect : step.effects()) {
            switch (effect) {
                case HandleEffect.Outcome outcome -> {
                    setup.meters().handleEnded(outcome.how().text());
                    send(in.records().outcome(outcome, now), RESUMED_SINK);
                }
                case HandleEffect.Approved approved -> {
                    setup.meters().handleEnded(CallEnd.APPROVED.text());
                    send(in.records().approved(approved, whole, now), RESUMED_SINK);
                }
                case HandleEffect.Audit audit -> send(in.records().audit(audit, isSensitive(audit.call()), now),
                        AUDIT_SINK);
                case HandleEffect.Tombstone _ -> send(in.records().tombstone(handle, now), PENDING_SINK);
                case HandleEffect.WriteAgain(PendingCall holder) -> {
                    byte[] value = in.stores().call(handle);
                    if (value != null)
                        send(in.records().again(holder, value, now), PENDING_SINK);
                }
                case HandleEffect.ShowCount count -> {
                    if (whole != null)
                        in.records().counted(count, whole, now).ifPresent(record -> send(record, PENDING_SINK));
                }
                case HandleEffect.Show show -> in.records()
                        .progress(show.saying(setup.modules().modules().shown(show.call(), show.progress())), now)
                        .ifPresent(record -> send(record, PROGRESS_SINK));
                case HandleEffect.Letter(RawRecord raw, DeadLetterReason why) ->
                    send(letters.of(handle, raw, why, now), LETTER_SINK);
                case HandleEffect.Ask(CallPlace call) ->
                    in.inquiries().want(new Inquiry(HandleTimer.Effect.QUESTION, handle, call));
                case HandleEffect.Tell(CallPlace call) ->
                    in.inquiries().want(new Inquiry(HandleTimer.Effect.TELL, handle, call));
            }
        }
    }

    /// Sends a record with this machine's time, which brokers compare with theirs, whatever the clock of deadlines
    /// shows.
    private void send(Record<byte[], Outgoing> record, String sink) {
        ProcessorContext<byte[], Outgoing> context = bound().context();
        context.forward(record.withTimestamp(context.currentSystemTimeMs()), sink);
    }

    private void refuse(Record<byte[], byte[]> record, Optional<RecordMetadata> metadata, String reason,
            String detail) {
        String placedFrom = KafkaHeaders.text(record.headers(), WireHeaders.ORIGIN);
        String origin = placedFrom != null ? placedFrom : metadata.map(DeadLetters::origin).orElse("");
        send(letters.of(record, origin, reason, reason + ": " + detail), LETTER_SINK);
    }

    private DecisionContext moment(HandleLifecycle state) {
        return state instanceof PendingHandle open ? moment(open.call()) : moment(Optional.empty());
    }

    private DecisionContext moment(PendingCall call) {
        return moment(tool(call).flatMap(setup.modules().modules()::poll));
    }

    private boolean isSensitive(PendingCall call) {
        return tool(call).filter(setup.modules().modules()::sensitive).isPresent();
    }

    private static Optional<ToolRef> tool(PendingCall call) {
        return Optional.ofNullable(call.origin()).map(CallOrigin::tool);
    }

    private DecisionContext moment(Optional<PollSpec> poll) {
        return new DecisionContext(setup.clock().instant(), poll);
    }

    private Bound bound() {
        if (bound == null)
            throw new IllegalStateException("process before init");
        return bound;
    }
}
