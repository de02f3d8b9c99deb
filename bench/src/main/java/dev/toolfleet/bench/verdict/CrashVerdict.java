package dev.toolfleet.bench.verdict;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;

import dev.toolfleet.bench.effect.HandlerStart;
import dev.toolfleet.bench.fault.Fault;
import dev.toolfleet.bench.load.Kind;
import dev.toolfleet.bench.verdict.UnknownCheck.UnknownOutcome;

/// Facts to report.
public final class CrashVerdict {
    private CrashVerdict() {}

    /// The report of a run. Pure.
    public static CrashReport of(RunFacts facts, Rules rules) {
        List<UnknownOutcome> unknown = UnknownCheck.unknowns(facts, rules.settle());
        List<Stall> stalls = StallCheck.longest(facts, rules);
        List<Violation> violations = new ArrayList<>(AnswerCheck.violations(facts));
        violations.addAll(OrderCheck.violations(facts));
        violations.addAll(ReplayCheck.violations(facts));
        violations.addAll(ContentCheck.violations(facts));
        violations.addAll(ApprovalCheck.violations(facts));
        Optional<LabelCheck> labels = rules.labels() ? Optional.of(LabelCheck.of(facts)) : Optional.empty();
        labels.ifPresent(check -> violations.addAll(check.violations()));
        violations.addAll(twice(facts));
        violations.addAll(ClientCheck.violations(facts));
        violations.addAll(SessionCheck.violations(facts.sessions()));
        violations.addAll(UnknownCheck.violations(unknown));
        if (rules.plannedStopsOnly())
            unknown.forEach(each -> violations
                    .add(new Violation(Promise.STOPS_ARE_CLEAN, each.callId(), each.effects() + " effects")));
        violations.addAll(StallCheck.violations(stalls, rules));
        facts.collapsed().forEach(worker -> violations
                .add(new Violation(Promise.WORKERS_LIVE, worker, "it ended without being told to; see its log")));
        return new CrashReport(counts(facts), clients(facts), facts.sessions().written().size(),
                labels.map(LabelCheck::guarded), effectsPerCall(facts),
                unknown, stalls,
                CrashReport.TakeOvers.of(facts.takeOvers()),
                CrashReport.TakeOvers.of(facts.takeOvers().stream().filter(TakeOverTime::ready).toList()),
                facts.faults().stream().sorted(Comparator.comparing(Fault::from)).toList(), violations);
    }

    private static List<Violation> twice(RunFacts facts) {
        Map<String, List<HandlerStart>> effects = facts.effectsByCall();
        return facts.calls().stream().filter(call -> call.kind() == Kind.ONCE)
                .filter(call -> effects.getOrDefault(call.id(), List.of()).size() > 1)
                .map(call -> new Violation(Promise.ONCE, call.id(), call.where() + "; began "
                        + effects.getOrDefault(call.id(), List.of()).stream()
                                .map(effect -> effect.begin() + " on " + effect.worker())
                                .collect(Collectors.joining(", "))))
                .toList();
    }

    private static CrashReport.Counts counts(RunFacts facts) {
        List<ResultFact> original = facts.results().stream().filter(ResultFact::original).toList();
        SortedMap<String, Long> errors = original.stream().flatMap(result -> result.answer().error().stream())
                .collect(Collectors.groupingBy(Function.identity(), TreeMap::new, Collectors.counting()));
        Map<String, List<ResultFact>> results = facts.resultsByCall();
        Owed owed = new Owed(facts);
        return new CrashReport.Counts(facts.calls().size(),
                facts.calls().stream().mapToInt(call -> call.records().size()).sum(), original.size(),
                (int) facts.results().stream().filter(ResultFact::replayed).count(),
                (int) facts.results().stream().filter(result -> !result.replayed() && !result.answer().last()).count(),
                (int) facts.calls().stream()
                        .filter(call -> owed.excused(call, results.getOrDefault(call.id(), List.of()))).count(),
                facts.effects().size(), errors);
    }

    private static Optional<CrashReport.Clients> clients(RunFacts facts) {
        if (facts.clients().isEmpty())
            return Optional.empty();
        return Optional.of(new CrashReport.Clients(facts.clients().size(),
                facts.clients().stream().mapToInt(ClientFact::requests).sum(),
                (int) facts.clients().stream().filter(client -> client.answer().isPresent()).count()));
    }

    private static Map<Kind, SortedMap<Integer, Long>> effectsPerCall(RunFacts facts) {
        Map<String, List<HandlerStart>> effects = facts.effectsByCall();
        Map<Kind, SortedMap<Integer, Long>> counts = new EnumMap<>(Kind.class);
        for (Kind kind : Kind.values())
            counts.put(kind, new TreeMap<>());
        facts.calls().forEach(call -> counts.computeIfAbsent(call.kind(), kind -> new TreeMap<>())
                .merge(effects.getOrDefault(call.id(), List.of()).size(), 1L, Long::sum));
        return counts;
    }
}
