package dev.toolfleet.bench.verdict;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.toolfleet.bench.effect.HandlerStart;
import dev.toolfleet.bench.fault.Fault;
import dev.toolfleet.bench.fault.FaultKind;

/// Measure of how long instances were held up: for how long a call was due and nothing of its instance ran. Calls that
/// wait for work outside are left out.
final class StallCheck {
    private StallCheck() {}

    /// The longest stall of each [Stall.Whose].
    static List<Stall> longest(RunFacts facts, Rules rules) {
        List<Victims> victims = victims(facts, rules);
        Map<Stall.Whose, Stall> longest = new HashMap<>();
        facts.calls().stream().filter(call -> !call.course().deferred())
                .collect(Collectors.groupingBy(CallFact::instance))
                .forEach((instance, calls) -> stalls(calls, facts, victims)
                        .forEach(stall -> longest.merge(stall.whose(), stall,
                                (a, b) -> a.took().compareTo(b.took()) >= 0 ? a : b)));
        return longest.values().stream().sorted(Comparator.comparing(Stall::whose)).toList();
    }

    /// Instances that may wait because of a fault.
    private record Victims(Fault fault, Set<Integer> partitions, Instant until) {
        boolean explain(int partition, Instant from, Instant to) {
            boolean then = !fault.from().isAfter(to) && !until.isBefore(from);
            return then && (!fault.kind().ofWorker() || partitions.contains(partition));
        }
    }

    private static List<Victims> victims(RunFacts facts, Rules rules) {
        Map<String, CallFact> calls = facts.callsById();
        return facts.faults().stream().map(fault -> {
            Instant over = fault.kind() == FaultKind.KILL ? fault.until().plus(rules.sessionTimeout()) : fault.until();
            return new Victims(fault, owned(fault, facts.effects(), calls), over.plus(rules.settle()));
        }).toList();
    }

    /// The partitions whose last call before the fault began on its target.
    private static Set<Integer> owned(Fault fault, List<HandlerStart> effects, Map<String, CallFact> calls) {
        Map<Integer, HandlerStart> last = new HashMap<>();
        effects.stream().filter(effect -> effect.begin().isBefore(fault.from()))
                .forEach(effect -> Optional.ofNullable(calls.get(effect.callId())).ifPresent(call -> last
                        .merge(call.partition(), effect, (a, b) -> a.begin().isAfter(b.begin()) ? a : b)));
        Set<Integer> owned = new HashSet<>();
        last.forEach((partition, effect) -> {
            if (effect.worker().equals(fault.target()))
                owned.add(partition);
        });
        return owned;
    }

    private static Stream<Stall> stalls(List<CallFact> calls, RunFacts facts, List<Victims> victims) {
        Set<String> ids = calls.stream().map(CallFact::id).collect(Collectors.toSet());
        Map<String, Instant> answered = facts.results().stream().filter(result -> ids.contains(result.callId()))
                .collect(Collectors.toMap(ResultFact::callId, ResultFact::seenAt, (a, b) -> a.isBefore(b) ? a : b));
        List<Runs> runs = facts.effects().stream().filter(effect -> ids.contains(effect.callId()))
                .map(effect -> Runs.of(effect, facts.faults())).sorted(Comparator.comparing(Runs::begin)).toList();
        List<Stall> stalls = new ArrayList<>();
        Instant before = Instant.MIN;
        for (CallFact call : calls.stream().sorted(Comparator.comparing(CallFact::first)).toList()) {
            Instant answer = answered.get(call.id());
            if (answer == null)
                continue;
            Instant from = before.isAfter(call.sentAt()) ? before : call.sentAt();
            stalls.add(new Stall(whose(victims, call.partition(), from, answer), call.id(), call.instance(),
                    call.partition(), longestIdle(from, answer, runs), from));
            before = before.isAfter(answer) ? before : answer;
        }
        return stalls.stream();
    }

    /// The longest stretch without a run.
    ///
    /// @param runs by their begins
    private static Duration longestIdle(Instant from, Instant to, List<Runs> runs) {
        Duration longest = Duration.ZERO;
        Instant idleSince = from;
        for (Runs run : runs) {
            if (run.begin().isAfter(to))
                break;
            longest = longer(longest, Duration.between(idleSince, run.begin()));
            idleSince = run.end().isAfter(idleSince) ? run.end() : idleSince;
        }
        return longer(longest, idleSince.isBefore(to) ? Duration.between(idleSince, to) : Duration.ZERO);
    }

    private static Duration longer(Duration a, Duration b) {
        return a.compareTo(b) >= 0 ? a : b;
    }

    private static Stall.Whose whose(List<Victims> victims, int partition, Instant from, Instant to) {
        List<FaultKind> kinds = victims.stream().filter(each -> each.explain(partition, from, to))
                .map(each -> each.fault().kind()).toList();
        if (kinds.isEmpty())
            return Stall.Whose.OTHERS;
        return kinds.stream().anyMatch(FaultKind::ofWorker) ? Stall.Whose.VICTIMS : Stall.Whose.ALL;
    }

    static List<Violation> violations(List<Stall> stalls, Rules rules) {
        if (!rules.plannedStopsOnly())
            return List.of();
        return stalls.stream().filter(stall -> stall.whose() == Stall.Whose.OTHERS)
                .filter(stall -> stall.took().compareTo(rules.patience()) > 0)
                .map(stall -> new Violation(Promise.STOPS_ARE_LOCAL, stall.instance(), stall.callId()
                        + " waited " + stall.took().toMillis() + " ms from " + stall.from() + ", partition "
                        + stall.partition()))
                .toList();
    }
}
