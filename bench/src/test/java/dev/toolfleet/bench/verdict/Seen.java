package dev.toolfleet.bench.verdict;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

import dev.toolfleet.bench.effect.HandlerStart;
import dev.toolfleet.bench.fault.Fault;
import dev.toolfleet.bench.fault.FaultKind;
import dev.toolfleet.bench.load.Course;
import dev.toolfleet.bench.load.Kind;
import dev.toolfleet.bench.load.Work;
import dev.toolfleet.bench.verdict.RunFacts.DecisionFact;
import dev.toolfleet.error.ErrorCode;

/// The facts of a made-up run of one instance in one partition, and of others on demand. Times are milliseconds from its
/// start; offsets grow with every call and every result.
final class Seen {
    static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
    static final Duration SESSION = Duration.ofSeconds(6);
    static final String UNKNOWN = ErrorCode.E_TOOL_OUTCOME_UNKNOWN.name();

    private final List<CallFact> calls = new ArrayList<>();
    private final List<ResultFact> results = new ArrayList<>();
    private final List<HandlerStart> effects = new ArrayList<>();
    private final List<IntentFact> intents = new ArrayList<>();
    private final List<Fault> faults = new ArrayList<>();
    private final List<String> collapsed = new ArrayList<>();
    private final List<DecisionFact> decisions = new ArrayList<>();
    private final List<String> gone = new ArrayList<>();
    private final List<ClientFact> clients = new ArrayList<>();
    private final List<TakeOverTime> takeOvers = new ArrayList<>();
    private int topic;
    private String instance = "instance-1";
    private int partition = 1;

    static Instant at(long millis) {
        return START.plusMillis(millis);
    }

    /// Calls from here on belong to this instance.
    Seen in(String newInstance, int newPartition) {
        instance = newInstance;
        partition = newPartition;
        return this;
    }

    Seen call(String id, Kind kind, long sent, long takes) {
        return call(id, new Work(kind, Course.DIRECT, Duration.ofMillis(takes), 0), sent);
    }

    Seen call(String id, Work work, long sent) {
        calls.add(new CallFact(id, instance, partition, work, List.of(written(sent))));
        return this;
    }

    private Written written(long sent) {
        return new Written(topic, calls.size(), at(sent));
    }

    Seen calledTwice(String id, Kind kind) {
        call(id, kind, 0, 0);
        return again(id, 0);
    }

    /// The call is written another time.
    Seen again(String id, long sent) {
        CallFact call = find(id);
        List<Written> records = new ArrayList<>(call.records());
        records.add(written(sent));
        calls.set(calls.indexOf(call), new CallFact(id, call.instance(), call.partition(), call.work(), records));
        return this;
    }

    private CallFact find(String id) {
        return calls.stream().filter(each -> each.id().equals(id)).findFirst().orElseThrow();
    }

    /// The topic is deleted and made anew; calls from here on are in the new one.
    Seen recreated(long from, long until) {
        topic++;
        return fault(FaultKind.RECREATE, "tool.call", from, until);
    }

    Seen ran(String id, String worker, long begin, long end) {
        return effect(id, worker, begin, Optional.of(at(end)));
    }

    Seen began(String id, String worker, long begin) {
        return effect(id, worker, begin, Optional.empty());
    }

    private Seen effect(String id, String worker, long begin, Optional<Instant> end) {
        CallFact call = find(id);
        effects.add(new HandlerStart(id, call.instance(), call.kind(), 1, worker, at(begin), end));
        return this;
    }

    Seen answered(String id, long seen) {
        return result(id, seen, ok(id, layers(id)), false);
    }

    /// Answered with an output that is not the one of the call.
    Seen answeredWith(String id, long seen, GivenAnswer.Output output) {
        return result(id, seen, new GivenAnswer(Optional.empty(), Optional.empty(), Optional.of(output), "other"),
                false);
    }

    Seen failed(String id, long seen, String code) {
        return result(id, seen, error(code), false);
    }

    Seen replayed(String id, long seen) {
        return result(id, seen, ok(id, layers(id)), true);
    }

    Seen replayedAs(String id, long seen, String code) {
        return result(id, seen, error(code), true);
    }

    Seen pending(String id, String handle, long seen) {
        return result(id, seen, waiting(id, handle), false);
    }

    Seen pendingReplayed(String id, String handle, long seen) {
        return result(id, seen, waiting(id, handle), true);
    }

    /// A replay by a fleet that has forgotten the pending result: its handle alone.
    Seen handleReplayed(String id, String handle, long seen) {
        return result(id, seen, new GivenAnswer(Optional.of(handle), Optional.empty(), Optional.empty(), "handle"),
                true);
    }

    Seen decided(String id, boolean approved, long when) {
        decisions.add(new DecisionFact(id, approved, at(when)));
        return this;
    }

    private int layers(String id) {
        return find(id).course() == Course.PENDING ? 0 : 1;
    }

    private GivenAnswer ok(String id, int layers) {
        return new GivenAnswer(Optional.empty(), Optional.empty(),
                Optional.of(new GivenAnswer.Output(id, find(id).work().bytes(), layers)), "ok " + id);
    }

    private static GivenAnswer error(String code) {
        return new GivenAnswer(Optional.empty(), Optional.of(code), Optional.empty(), code);
    }

    private static GivenAnswer waiting(String id, String handle) {
        return new GivenAnswer(Optional.of(handle), Optional.empty(), Optional.of(new GivenAnswer.Output(id, 0, 0)),
                "pending " + handle);
    }

    private Seen result(String id, long seen, GivenAnswer answer, boolean replayed) {
        results.add(new ResultFact(id, partition, results.size(), at(seen), answer, replayed));
        return this;
    }

    /// The whole life of a quick call.
    Seen done(String id, Kind kind, String worker, long sent) {
        return call(id, kind, sent, 5).ran(id, worker, sent + 10, sent + 15).answered(id, sent + 20);
    }

    Seen intent(String id, String worker, long when) {
        intents.add(new IntentFact(id, worker, at(when), 0, false));
        return this;
    }

    /// The worker takes the call after another one has died that may have had it.
    Seen suspect(String id, String worker, long when) {
        intents.add(new IntentFact(id, worker, at(when), 1, true));
        return this;
    }

    Seen fault(FaultKind kind, String target, long from, long until) {
        faults.add(new Fault(kind, target, at(from), at(until)));
        return this;
    }

    Seen gone(String record) {
        gone.add(record);
        return this;
    }

    Seen takenOver(long millis, boolean ready) {
        takeOvers.add(new TakeOverTime(Duration.ofMillis(millis), ready));
        return this;
    }

    /// A client over HTTP got an answer with this digest.
    Seen clientOf(String id, String digest) {
        GivenAnswer own = ok(id, layers(id));
        clients.add(
                new ClientFact(id, Optional.of(new GivenAnswer(own.handle(), own.error(), own.output(), digest)), "",
                        1));
        return this;
    }

    Seen clientWithout(String id, String trouble) {
        clients.add(new ClientFact(id, Optional.empty(), trouble, 1));
        return this;
    }

    Seen collapsed(String worker) {
        collapsed.add(worker);
        return this;
    }

    CrashReport report(FaultKind... kinds) {
        return report(Rules.of(Set.of(kinds), SESSION, false));
    }

    /// The report of a run with labels.
    CrashReport labelled() {
        return report(Rules.of(Set.of(FaultKind.KILL), SESSION, true));
    }

    private CrashReport report(Rules rules) {
        return CrashVerdict.of(
                new RunFacts(calls, gone, results, effects, intents, decisions, faults, collapsed, takeOvers,
                        clients, SessionFacts.NONE),
                rules);
    }

    /// Which promises are broken, and whose.
    List<String> broken(FaultKind... kinds) {
        return broken(report(kinds));
    }

    /// The same in a run with labels.
    List<String> labelledBroken() {
        return broken(labelled());
    }

    private static List<String> broken(CrashReport report) {
        return report.violations().stream().map(each -> each.promise() + " " + each.subject()).toList();
    }
}
