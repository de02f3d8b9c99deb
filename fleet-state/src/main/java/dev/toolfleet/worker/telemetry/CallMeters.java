package dev.toolfleet.worker.telemetry;

import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;

import dev.toolfleet.error.ErrorCode;
import dev.toolfleet.wire.ToolRef;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Timer;
import org.jspecify.annotations.Nullable;

/// Metrics of a worker's calls, by Micrometer's names; the names are public API for monitoring. The tags of an end are
/// bounded: tools are those that were found in the registry, codes are the fleet's own. Meters are looked up once.
/// Thread-safe.
public final class CallMeters {
    /// Counter: calls that were read, malformed and repeated ones too.
    public static final String RECEIVED = "toolfleet.calls.received";
    /// Counter, by [WorkerMeters#TOOL], [#STATUS] and [#CODE]: results that were committed.
    public static final String COMPLETED = "toolfleet.calls.completed";
    /// A tag: `ok`, `error` or `pending`.
    public static final String STATUS = "status";
    /// A tag: the error code, [#OWN] for one that a tool chose, [#NONE] without an error.
    public static final String CODE = "code";
    /// Counter: records of `tool.call` that are no calls and became dead letters.
    public static final String DEAD_LETTERS = "toolfleet.calls.dead.letters";
    /// Histogram: from the append of a call until it left its lane's queue.
    public static final String QUEUE_WAIT = "toolfleet.calls.queue.wait";
    /// Histogram, by [WorkerMeters#TOOL]: the handler's time.
    public static final String HANDLER_TIME = "toolfleet.calls.handler.time";
    /// Histogram: from the append of a call until its final result was committed, waits for handles and people included.
    public static final String END_TO_END = "toolfleet.calls.end.to.end";
    /// Counter, by [#RULE] and [#VERDICT]: calls whose verdict a shadow rule would have changed.
    public static final String SHADOWED = "toolfleet.policy.shadow";
    /// A tag: the rule, as `bundle/policy/id`.
    public static final String RULE = "rule";
    /// A tag: `allow`, `require-approval` or `deny`.
    public static final String VERDICT = "verdict";
    /// Counter, by [#BUDGET]: what calls have spent that began here, in the unit of the budget.
    public static final String BUDGET_SPENT = "toolfleet.budget.spent";
    /// Counter, by [#BUDGET]: calls that were refused because the budget had too little left.
    public static final String BUDGET_REFUSED = "toolfleet.budget.refused";
    /// A tag: the budget, as `bundle/name`.
    public static final String BUDGET = "budget";
    /// No tool was found, or no error happened.
    public static final String NONE = "none";
    /// A code that is not the fleet's.
    public static final String OWN = "own";

    /// Buckets of the three histograms: from a time that a person does not notice to the time of a build.
    private static final Duration[] OBJECTIVES = {Duration.ofMillis(5), Duration.ofMillis(10), Duration.ofMillis(25),
            Duration.ofMillis(50), Duration.ofMillis(100), Duration.ofMillis(250), Duration.ofMillis(500),
            Duration.ofSeconds(1), Duration.ofMillis(2_500), Duration.ofSeconds(5), Duration.ofSeconds(10),
            Duration.ofSeconds(30), Duration.ofMinutes(1), Duration.ofMinutes(5), Duration.ofMinutes(30),
            Duration.ofHours(1)};
    private static final Map<String, String> CODES = Arrays.stream(ErrorCode.values()).map(Enum::name)
            .collect(Collectors.toUnmodifiableMap(Function.identity(), Function.identity()));

    private final RegisteredMeters meters;
    private final Counter received;
    private final Counter deadLetters;
    private final Timer queueWait;
    private final Timer endToEnd;
    private final Map<ToolRef, OfTool> tools = new ConcurrentHashMap<>();
    private final OfTool noTool;
    private final Map<String, Counter> spent = new ConcurrentHashMap<>();
    private final Map<String, Counter> exhausted = new ConcurrentHashMap<>();
    private final Map<Shadow, Counter> shadows = new ConcurrentHashMap<>();

    CallMeters(RegisteredMeters meters) {
        this.meters = meters;
        this.received = meters.registered(Counter.builder(RECEIVED).description("calls that were read")
                .register(meters.registry()));
        this.deadLetters = meters.registered(Counter.builder(DEAD_LETTERS)
                .description("records of tool.call that are no calls").register(meters.registry()));
        this.queueWait = histogram(Timer.builder(QUEUE_WAIT).description("from append to the start of the call"));
        this.endToEnd = histogram(Timer.builder(END_TO_END).description("from append to the committed final result"));
        this.noTool = new OfTool(NONE);
    }

    private Timer histogram(Timer.Builder timer) {
        return meters.registered(timer.serviceLevelObjectives(OBJECTIVES).register(meters.registry()));
    }

    /// Status of a call's result.
    public enum Status {
        /// The call has an output.
        OK("ok"),
        /// The call has an error.
        ERROR("error"),
        /// The call waits for its handle.
        PENDING("pending");

        private final String tag;

        Status(String tag) {
            this.tag = tag;
        }
    }

    /// Counts calls that were read.
    public void received(int count) {
        received.increment(count);
    }

    /// Counts a record that is no call and became a dead letter.
    public void deadLetter() {
        deadLetters.increment();
    }

    /// Counts a committed result.
    ///
    /// @param tool that was found for it; null for none
    /// @param code of the error; null without one
    public void completed(@Nullable ToolRef tool, Status status, @Nullable String code) {
        of(tool).completed(status, code == null ? NONE : CODES.getOrDefault(code, OWN)).increment();
    }

    /// Records the time that a call spent in its lane's queue.
    public void waited(long millis) {
        queueWait.record(millis, TimeUnit.MILLISECONDS);
    }

    /// Records the time of a handler.
    public void handled(@Nullable ToolRef tool, long millis) {
        of(tool).handlerTime.record(millis, TimeUnit.MILLISECONDS);
    }

    /// Records the time until a final result was committed.
    public void ended(long millis) {
        endToEnd.record(millis, TimeUnit.MILLISECONDS);
    }

    /// Counts a call that began, and whose verdict a shadow rule would have changed.
    ///
    /// @param verdict the one with the rule
    public void shadowed(String rule, String verdict) {
        shadows.computeIfAbsent(new Shadow(rule, verdict), made -> meters.registered(Counter.builder(SHADOWED)
                .description("calls whose verdict a shadow rule would have changed").tag(RULE, made.rule())
                .tag(VERDICT, made.verdict()).register(meters.registry()))).increment();
    }

    /// Counts what a call has spent whose handler begins.
    ///
    /// @param budget as `bundle/name`
    public void budgetSpent(String budget, long amount) {
        spent.computeIfAbsent(budget, made -> meters.registered(Counter.builder(BUDGET_SPENT)
                .description("what calls have spent of a budget").tag(BUDGET, made).register(meters.registry())))
                .increment((double) amount);
    }

    /// Counts a call that was refused because a budget had too little left.
    public void budgetRefused(String budget) {
        exhausted.computeIfAbsent(budget, made -> meters.registered(Counter.builder(BUDGET_REFUSED)
                .description("calls refused by a budget").tag(BUDGET, made).register(meters.registry()))).increment();
    }

    private record Shadow(String rule, String verdict) {}

    private OfTool of(@Nullable ToolRef tool) {
        if (tool == null)
            return noTool;
        OfTool known = tools.get(tool);
        return known != null ? known : tools.computeIfAbsent(tool, ref -> new OfTool(ToolMeters.name(ref)));
    }

    private final class OfTool {
        private final String name;
        private final Timer handlerTime;
        private final Counter ok;
        private final Map<String, Counter> errors = new ConcurrentHashMap<>();
        private final Map<String, Counter> others = new ConcurrentHashMap<>();

        OfTool(String name) {
            this.name = name;
            this.handlerTime = histogram(Timer.builder(HANDLER_TIME).description("the handler's time")
                    .tag(WorkerMeters.TOOL, name));
            this.ok = counter(Status.OK, NONE);
        }

        Counter completed(Status status, String code) {
            return switch (status) {
                case OK -> ok;
                case ERROR -> cached(errors, status, code);
                case PENDING -> cached(others, status, NONE);
            };
        }

        private Counter cached(Map<String, Counter> all, Status status, String code) {
            Counter known = all.get(code);
            return known != null ? known : all.computeIfAbsent(code, made -> counter(status, made));
        }

        private Counter counter(Status status, String code) {
            return meters.registered(Counter.builder(COMPLETED).description("results that were committed")
                    .tag(WorkerMeters.TOOL, name).tag(STATUS, status.tag).tag(CODE, code).register(meters.registry()));
        }
    }
}
