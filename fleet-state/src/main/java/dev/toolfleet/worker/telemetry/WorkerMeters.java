package dev.toolfleet.worker.telemetry;

import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

import dev.toolfleet.wire.ToolRef;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.TimeGauge;
import org.jspecify.annotations.Nullable;

import static java.util.Objects.requireNonNull;

/// Metrics of a worker, by Micrometer's names; the names are public API for monitoring. Counters are looked up once, so
/// counting costs an addition. Thread-safe. Meters of one worker: two workers of one process need two registries.
public final class WorkerMeters implements AutoCloseable {
    /// Gauge: handlers that ignored their interrupt and still run.
    public static final String HANDLERS_ABANDONED = "toolfleet.handlers.abandoned";
    /// Counter: handlers that ignored their interrupt.
    public static final String HANDLERS_ABANDONMENTS = "toolfleet.handlers.abandonments";
    /// Counter: handlers that ended after they were abandoned; their results were discarded.
    public static final String HANDLERS_LATE = "toolfleet.handlers.late";
    /// Gauge: calls queued or running.
    public static final String CALLS_INFLIGHT = "toolfleet.calls.inflight";
    /// Gauge: calls of this worker's partitions that have a pending result and wait for their handle.
    public static final String CALLS_PENDING = "toolfleet.calls.pending";
    /// Counter: duplicates that were answered without a run.
    public static final String CALLS_REPLAYED = "toolfleet.calls.replayed";
    /// Counter: calls refused with `E_CALL_IDENTITY_CONFLICT`.
    public static final String CALLS_CONFLICT = "toolfleet.calls.conflict";
    /// Counter: calls answered with `E_TOOL_OUTCOME_UNKNOWN`.
    public static final String CALLS_UNKNOWN = "toolfleet.calls.unknown";
    /// Counter: calls that were ended because two workers died while they had them.
    public static final String CALLS_POISONOUS = "toolfleet.calls.poisonous";
    /// Counter: calls that this worker's share of the handles began to wait for.
    public static final String HANDLES_OPENED = "toolfleet.handles.opened";
    /// Counter: outcomes of pending calls, by [#HOW]: `completed`, `failed`, `cancelled`, `expired`,
    /// `conflict`, `approved` or `rejected`.
    public static final String HANDLES_ENDED = "toolfleet.handles.ended";
    /// The tag of [#HANDLES_ENDED].
    public static final String HOW = "how";
    /// Counter: records of a kind that this version does not know, of the process.
    public static final String RECORDS_UNKNOWN = "toolfleet.records.unknown";
    /// Gauge: bundles whose active revision is refused.
    public static final String BUNDLES_REFUSED = "toolfleet.bundles.refused";
    /// Counter: records by handle that became dead letters, by [#REASON], such as `late` or `wrong-token`.
    public static final String HANDLES_DEAD_LETTERS = "toolfleet.handles.dead.letters";
    /// Counter, by [#STATE]: calls that ended with `E_TOOL_CANCELLED` before their handler started (`unstarted`) or
    /// because it was interrupted (`running`), and handles that were cancelled because their call was (`pending`).
    public static final String CALLS_CANCELLED = "toolfleet.calls.cancelled";
    /// The tag of [#CALLS_CANCELLED].
    public static final String STATE = "state";
    /// Counter: cancellations forgotten before their time, because there were too many.
    public static final String CANCELLATIONS_FORGOTTEN = "toolfleet.cancellations.forgotten";
    /// Counter, by [#TOOL]: starts of handlers that were not the first of their call on this worker.
    public static final String CALLS_RETRIED = "toolfleet.calls.retried";
    /// Gauge, by [#TOOL]: slots of the tool's `maxConcurrent` that are taken.
    public static final String LIMITS_USED = "toolfleet.limits.used";
    /// Gauge, by [#TOOL]: calls that wait for their turn.
    public static final String LIMITS_WAITING = "toolfleet.limits.waiting";
    /// Counter, by [#TOOL] and [#REASON]: calls that did not start, because of the `rate`, the `circuit` breaker, or the
    /// `deadline` that passed while they waited.
    public static final String LIMITS_REFUSED = "toolfleet.limits.refused";
    /// Gauge, by [#TOOL]: the circuit breaker; 0 closed, 1 trying, 2 open.
    public static final String LIMITS_BREAKER = "toolfleet.limits.breaker";
    /// Counter, by [#TOOL]: openings of the circuit breaker.
    public static final String LIMITS_BREAKER_OPENED = "toolfleet.limits.breaker.opened";
    /// The tag of a tool's meters: `bundle/tool__export`.
    public static final String TOOL = "tool";
    /// Gauge: answers that are remembered.
    public static final String DEDUPE_ENTRIES = "toolfleet.dedupe.entries";
    /// Gauge, in seconds: of the partitions' oldest remembered answers the age of the youngest; none without answers.
    public static final String DEDUPE_OLDEST_AGE = "toolfleet.dedupe.oldest.age";
    /// Counter: answers forgotten before their time, because there were more than `dedupe.maxEntries`.
    public static final String DEDUPE_FORGOTTEN = "toolfleet.dedupe.forgotten";
    /// Gauge, in seconds: the time for which nothing could be committed; 0 if there is no failure.
    public static final String COMMIT_FAILING = "toolfleet.commit.failing";
    /// Gauge, in seconds: the age of the state follower's last turn.
    public static final String FOLLOWER_STANDS_STILL = "toolfleet.follower.stalled";
    /// Gauge: partitions that are not read, by [#REASON]: `metadata_full`, `quarantined`, `unexpected` or
    /// `unreadable`.
    public static final String PARTITIONS_HELD = "toolfleet.partitions.held";
    /// The tag of [#PARTITIONS_HELD], [#HANDLES_DEAD_LETTERS] and [#LIMITS_REFUSED].
    public static final String REASON = "reason";

    /// Counter, by [#OUTCOME]: connections that commands requested from their proxies: `allowed`, `refused` by the
    /// rules, or `failed`, because no server answered.
    public static final String EGRESS_CONNECTIONS = "toolfleet.egress.connections";
    /// The tag of [#EGRESS_CONNECTIONS].
    public static final String OUTCOME = "outcome";

    private final MeterRegistry registry;
    private final RegisteredMeters meters;
    private final Counter abandonments;
    private final Counter late;
    private final Counter replayed;
    private final Counter conflicts;
    private final Counter unknown;
    private final Counter opened;
    private final Map<Cancelled, Counter> cancelled = new EnumMap<>(Cancelled.class);
    private final Counter poisonous;
    private final CallMeters calls;
    private final LoadMeters load;
    /// Sources of counters, kept here because registries reference them weakly.
    private final List<LongSupplier> read = new ArrayList<>();

    /// Registers the counters.
    public WorkerMeters(MeterRegistry registry) {
        this.registry = registry;
        this.meters = new RegisteredMeters(registry);
        this.abandonments = counter(HANDLERS_ABANDONMENTS, "handlers that ignored their interrupt");
        this.late = counter(HANDLERS_LATE, "late ends of abandoned handlers, results discarded");
        this.replayed = counter(CALLS_REPLAYED, "duplicates answered without a run");
        this.conflicts = counter(CALLS_CONFLICT, "calls with the identity of another");
        this.unknown = counter(CALLS_UNKNOWN, "calls that may or may not have happened");
        this.poisonous = counter(CALLS_POISONOUS, "calls that were ended because two workers died with them");
        this.opened = counter(HANDLES_OPENED, "calls for which a handle was opened");
        this.calls = new CallMeters(meters);
        this.load = new LoadMeters(meters);
        for (Cancelled state : Cancelled.values()) {
            cancelled.put(state, registered(Counter.builder(CALLS_CANCELLED).description("calls that were cancelled")
                    .tag(STATE, state.name().toLowerCase(Locale.ROOT)).register(registry)));
        }
    }

    private Counter counter(String name, String what) {
        return registered(Counter.builder(name).description(what).register(registry));
    }

    /// Returns the metrics of calls.
    public CallMeters calls() {
        return calls;
    }

    /// Returns the metrics of load and partitions.
    public LoadMeters load() {
        return load;
    }

    /// Returns the name of a tool in tags.
    public static String tool(ToolRef ref) {
        return ToolMeters.name(ref);
    }

    /// Returns the metrics of one tool.
    ///
    /// @param tool `bundle/tool__export`
    public ToolMeters ofTool(String tool) {
        return new ToolMeters(meters, tool);
    }

    private <M extends Meter> M registered(M meter) {
        return meters.registered(meter);
    }

    /// Counts a handler that ignored its interrupt.
    public void handlerAbandoned() {
        abandonments.increment();
    }

    /// Counts an abandoned handler that has ended.
    public void handlerLate() {
        late.increment();
    }

    /// Counts an answered duplicate.
    public void callReplayed() {
        replayed.increment();
    }

    /// Counts a call with the identity of another.
    public void callConflicted() {
        conflicts.increment();
    }

    /// Counts a call that ended although it is not known whether it happened.
    public void callUnknown() {
        unknown.increment();
    }

    /// Counts a call that was ended because two workers died while they had it.
    public void callPoisonous() {
        poisonous.increment();
    }

    /// Counts a call that waits for its handle.
    public void handleOpened() {
        opened.increment();
    }

    /// Counts the outcome of a pending call.
    public void handleEnded(String how) {
        tagged(HANDLES_ENDED, "outcomes of pending calls", HOW, how).increment();
    }

    /// Counts a record by handle that became a dead letter.
    public void handleLetter(String reason) {
        tagged(HANDLES_DEAD_LETTERS, "records by handle that became dead letters", REASON, reason).increment();
    }

    private Counter tagged(String name, String what, String tag, String value) {
        return registered(Counter.builder(name).tag(tag, value).description(what).register(registry));
    }

    /// Counts a cancelled call.
    public void callCancelled(Cancelled state) {
        requireNonNull(cancelled.get(state)).increment();
    }

    /// State of a call when its cancellation comes.
    public enum Cancelled {
        /// Before its handler started.
        UNSTARTED,
        /// While its handler ran.
        RUNNING,
        /// While it waited for its handle.
        PENDING
    }

    /// Registers a value that is read on demand.
    public void gauge(String name, String what, Supplier<Number> value) {
        registered(Gauge.builder(name, value).description(what).register(registry));
    }

    /// Registers one of several values of the same name.
    ///
    /// @param reason distinguishes them
    public void gauge(String name, String what, String reason, Supplier<Number> value) {
        registered(Gauge.builder(name, value).tag(REASON, reason).description(what).register(registry));
    }

    /// Registers one of several values of the same name that come and go; [#remove] it.
    public Meter gauge(String name, String what, String tag, String tagged, Supplier<Number> value) {
        return registered(Gauge.builder(name, value).tag(tag, tagged).description(what).register(registry));
    }

    /// Registers one of several durations of the same name, in seconds; [#remove] it.
    public Meter age(String name, String what, String tag, String tagged, Supplier<Duration> value) {
        return registered(TimeGauge.builder(name, () -> value.get().toMillis(), TimeUnit.MILLISECONDS).tag(tag, tagged)
                .description(what).register(registry));
    }

    /// Removes a meter from the registry.
    public void remove(Meter meter) {
        meters.remove(meter);
    }

    /// Registers a duration that is read on demand.
    ///
    /// @param value null for none
    public void duration(String name, String what, Supplier<@Nullable Duration> value) {
        registered(TimeGauge.builder(name, () -> millis(value.get()), TimeUnit.MILLISECONDS).description(what)
                .register(registry));
    }

    private static Number millis(@Nullable Duration duration) {
        return duration == null ? Double.NaN : duration.toMillis();
    }

    /// Registers a count that another object keeps, and that never falls.
    public void count(String name, String what, LongSupplier value) {
        keep(value);
        registered(FunctionCounter.builder(name, value, LongSupplier::getAsLong).description(what).register(registry));
    }

    /// Registers one of several counts of the same name.
    public void count(String name, String what, String tag, String tagged, LongSupplier value) {
        keep(value);
        registered(FunctionCounter.builder(name, value, LongSupplier::getAsLong).tag(tag, tagged).description(what)
                .register(registry));
    }

    private synchronized void keep(LongSupplier value) {
        read.add(value);
    }

    /// Removes all meters from the registry.
    @Override
    public void close() {
        meters.clear();
    }
}
