package dev.toolfleet.worker.identity;

import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiPredicate;

import dev.toolfleet.error.ErrorText;
import dev.toolfleet.error.Unquoted;
import dev.toolfleet.wire.CancelCall;
import dev.toolfleet.wire.LaneOrder;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.wire.WireCodec;
import dev.toolfleet.wire.WireFormatException;
import dev.toolfleet.worker.state.TopicView;
import dev.toolfleet.worker.telemetry.LogKeys;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// View of all cancellations on `tool.control`, by instance.
///
/// **Contract.** A cancellation is state, not a signal: it holds for [#KEPT], for calls that are queued, running,
/// pending, read again or still to come. One that names a handle is not kept: it concerns only the call behind the
/// handle, and the completion topology ends that. At most [#MOST_WEIGHT] characters are kept; beyond that the oldest
/// are forgotten and counted.
///
/// *Written before* compares the brokers' append times of call and cancellation, to the millisecond; in the same
/// millisecond the call counts as first.
///
/// **Threads.** The follower's thread applies. Any thread reads, at the cost of one map look-up if the instance has
/// none.
public final class Cancellations implements TopicView {
    /// Time for which a cancellation holds, counted from its append time by a worker's clock: a day, plus an hour by
    /// which that clock may be ahead of the brokers'.
    public static final Duration KEPT = Duration.ofDays(1).plusHours(1);
    /// Most characters that are kept, with 200 for each cancellation itself: 32 million, enough for 100,000
    /// cancellations or more.
    public static final long MOST_WEIGHT = 32_000_000;
    private static final Logger LOG = LoggerFactory.getLogger(Cancellations.class);
    private static final WireCodec<CancelCall> CODEC = WireCodec.of(CancelCall.class);
    private static final int OWN_WEIGHT = 200;
    /// Longest id or key of a call.
    private static final int MAX_ID = 1024;
    private static final int MAX_BY = 200;
    private static final int MAX_REASON = 500;

    private record Kept(CancelCall cancel, long writtenAt) {
        int weight() {
            return OWN_WEIGHT + cancel.instanceKey().length() + length(cancel.toolCallId()) + length(cancel.stepId())
                    + length(cancel.agentName()) + length(cancel.turnId()) + length(cancel.by())
                    + length(cancel.reason());
        }
    }

    private final InstantSource clock;
    private final long mostWeight;
    private final Map<String, Queue<Kept>> byInstance = new ConcurrentHashMap<>();
    private final List<Listener> listeners = new CopyOnWriteArrayList<>();
    /// All cancellations in the order in which they came; for the follower's thread, like the weight.
    private final Deque<Kept> all = new ArrayDeque<>();
    private long weight;
    private final AtomicLong forgotten = new AtomicLong();

    /// Creates an empty view.
    public Cancellations(InstantSource clock) {
        this(clock, MOST_WEIGHT);
    }

    Cancellations(InstantSource clock, long mostWeight) {
        this.clock = clock;
        this.mostWeight = mostWeight;
    }

    /// Listener for cancellations. It is called after the cancellation can be found.
    @FunctionalInterface
    public interface Listener {
        /// A cancellation has come. Called on the follower's thread; must not wait.
        ///
        /// @param writtenAt its append time, in epoch milliseconds
        void cancelled(CancelCall cancel, long writtenAt);
    }

    /// Adds a listener. Must come before the view is followed.
    public void tell(Listener listener) {
        listeners.add(listener);
    }

    @Override
    public void apply(int partition, String key, byte @Nullable [] value, long time) {
        if (LaneOrder.isOne(value)) {
            LOG.atWarn().addKeyValue(LogKeys.PARTITION, partition).addKeyValue(LogKeys.INSTANCE, key)
                    .log("lane order on tool.control ignored: orders belong on tool.operator");
            return;
        }
        CancelCall cancel = value == null ? null : read(partition, value);
        if (cancel == null || cancel.handle() != null)
            return;
        Kept kept = new Kept(cancel, time);
        all.add(kept);
        weight += kept.weight();
        byInstance.computeIfAbsent(cancel.instanceKey(), _ -> new ConcurrentLinkedQueue<>()).add(kept);
        shrink();
        listeners.forEach(listener -> listener.cancelled(cancel, time));
    }

    private static @Nullable CancelCall read(int partition, byte[] value) {
        try {
            CancelCall cancel = CODEC.read(value);
            String problem = problem(cancel);
            if (problem == null)
                return bounded(cancel);
            passOver(partition, problem);
        } catch (WireFormatException e) {
            passOver(partition, Unquoted.name(e));
        }
        return null;
    }

    private static @Nullable String problem(CancelCall cancel) {
        if (!cancel.namesCalls())
            return "names neither toolCallId nor stepId nor handle";
        boolean tooLong = cancel.instanceKey().length() > MAX_ID || length(cancel.toolCallId()) > MAX_ID
                || length(cancel.stepId()) > MAX_ID || length(cancel.agentName()) > MAX_ID
                || length(cancel.turnId()) > MAX_ID;
        return tooLong ? "an id is longer than that of any call" : null;
    }

    /// Only logs: the completion topology makes the dead letter.
    private static void passOver(int partition, String reason) {
        LOG.atWarn().addKeyValue(LogKeys.PARTITION, partition)
                .addKeyValue(LogKeys.REASON, ErrorText.limit(reason, ErrorText.DEFAULT_LIMIT))
                .log("control record skipped: it is no valid cancellation");
    }

    private static CancelCall bounded(CancelCall cancel) {
        return new CancelCall(cancel.instanceKey(), cancel.toolCallId(), cancel.stepId(), cancel.handle(),
                cut(cancel.by(), MAX_BY), cut(cancel.reason(), MAX_REASON), cancel.agentName(), cancel.turnId());
    }

    private static @Nullable String cut(@Nullable String text, int length) {
        return text == null ? null : ErrorText.limit(text, length);
    }

    private static int length(@Nullable String text) {
        return text == null ? 0 : text.length();
    }

    /// Forgets the oldest cancellations, but never the newest.
    private void shrink() {
        long oldest = clock.millis() - KEPT.toMillis();
        while (all.size() > 1) {
            boolean tooMany = weight > mostWeight;
            if (!tooMany && all.getFirst().writtenAt() >= oldest)
                return;
            Kept first = all.removeFirst();
            weight -= first.weight();
            // The first of all is the first of its instance.
            byInstance.computeIfPresent(first.cancel().instanceKey(), (_, kept) -> {
                kept.poll();
                return kept.isEmpty() ? null : kept;
            });
            if (first.writtenAt() >= oldest)
                forgotten.incrementAndGet();
        }
    }

    @Override
    public void forget(int partition) {
        // All partitions are followed as long as the worker lives.
    }

    /// Returns the first cancellation that means this call, which is not pending; null if there is none.
    ///
    /// @param calledAt append time of the call, in epoch milliseconds
    public @Nullable CancelCall of(ToolCall call, long calledAt) {
        return find(call.instanceKey(), calledAt, (cancel, before) -> cancel.means(call, before));
    }

    /// Returns the first cancellation that means this pending call; null if there is none.
    ///
    /// @param calledAt append time of the call, in epoch milliseconds
    public @Nullable CancelCall of(CancelCall.Target pending, long calledAt) {
        return find(pending.instanceKey(), calledAt, (cancel, before) -> cancel.means(pending, before));
    }

    private @Nullable CancelCall find(String instanceKey, long calledAt, BiPredicate<CancelCall, Boolean> means) {
        Queue<Kept> ofInstance = byInstance.get(instanceKey);
        if (ofInstance == null)
            return null;
        long oldest = clock.millis() - KEPT.toMillis();
        for (Kept kept : ofInstance) {
            if (kept.writtenAt() >= oldest && means.test(kept.cancel(), calledAt <= kept.writtenAt()))
                return kept.cancel();
        }
        return null;
    }

    /// Number of cancellations that were forgotten before their time, because there were too many.
    public long forgotten() {
        return forgotten.get();
    }
}
