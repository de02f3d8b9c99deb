package dev.toolfleet.bench.verdict;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

import dev.toolfleet.bench.effect.Effect;
import dev.toolfleet.bench.fault.Fault;
import dev.toolfleet.bench.fault.FaultKind;
import dev.toolfleet.bench.load.Kind;
import dev.toolfleet.error.ErrorCode;

/// The facts of a made-up run of one instance in one partition, and of others on demand. Times are milliseconds from its
/// start; offsets grow with every call and every result.
final class Seen {
    static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
    static final Duration SESSION = Duration.ofSeconds(6);
    static final String UNKNOWN = ErrorCode.E_TOOL_OUTCOME_UNKNOWN.name();

    private final List<CallFact> calls = new ArrayList<>();
    private final List<ResultFact> results = new ArrayList<>();
    private final List<Effect> effects = new ArrayList<>();
    private final List<IntentFact> intents = new ArrayList<>();
    private final List<Fault> faults = new ArrayList<>();
    private final List<String> collapsed = new ArrayList<>();
    private int lost;
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
        calls.add(new CallFact(id, instance, kind, Duration.ofMillis(takes), partition, calls.size(), at(sent), 1));
        return this;
    }

    Seen calledTwice(String id, Kind kind) {
        calls.add(new CallFact(id, instance, kind, Duration.ZERO, partition, calls.size(), at(0), 2));
        return this;
    }

    Seen ran(String id, String worker, long begin, long end) {
        return effect(id, worker, begin, Optional.of(at(end)));
    }

    Seen began(String id, String worker, long begin) {
        return effect(id, worker, begin, Optional.empty());
    }

    private Seen effect(String id, String worker, long begin, Optional<Instant> end) {
        CallFact call = calls.stream().filter(each -> each.id().equals(id)).findFirst().orElseThrow();
        effects.add(new Effect(id, call.instance(), call.kind(), 1, worker, at(begin), end));
        return this;
    }

    Seen answered(String id, long seen) {
        return result(id, seen, Optional.empty(), false);
    }

    Seen failed(String id, long seen, String code) {
        return result(id, seen, Optional.of(code), false);
    }

    Seen replayed(String id, long seen) {
        return result(id, seen, Optional.empty(), true);
    }

    private Seen result(String id, long seen, Optional<String> error, boolean replayed) {
        results.add(new ResultFact(id, partition, results.size(), at(seen), error, replayed));
        return this;
    }

    /// The whole life of a quick call.
    Seen done(String id, Kind kind, String worker, long sent) {
        return call(id, kind, sent, 5).ran(id, worker, sent + 10, sent + 15).answered(id, sent + 20);
    }

    Seen intent(String id, String worker, long when) {
        intents.add(new IntentFact(id, worker, at(when)));
        return this;
    }

    Seen fault(FaultKind kind, String target, long from, long until) {
        faults.add(new Fault(kind, target, at(from), at(until)));
        return this;
    }

    Seen lost(int records) {
        lost = records;
        return this;
    }

    Seen collapsed(String worker) {
        collapsed.add(worker);
        return this;
    }

    CrashReport report(FaultKind... kinds) {
        return Verdict.of(new Facts(calls.stream().mapToInt(CallFact::records).sum() + lost, calls, results, effects,
                intents, faults, collapsed), Rules.of(Set.of(kinds), SESSION));
    }

    /// Which promises are broken, and whose.
    List<String> broken(FaultKind... kinds) {
        return report(kinds).violations().stream().map(each -> each.promise() + " " + each.subject()).toList();
    }
}
