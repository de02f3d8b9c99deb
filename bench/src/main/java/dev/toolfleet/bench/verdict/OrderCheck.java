package dev.toolfleet.bench.verdict;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BinaryOperator;
import java.util.stream.Collectors;

import dev.toolfleet.bench.effect.HandlerStart;
import dev.toolfleet.bench.fault.Fault;

/// Check that the calls of each instance ran, and were answered, in the order that they are promised. A call that waits
/// for a person has its place in the order of results by its first one, and none in that of starts.
final class OrderCheck {
    private OrderCheck() {}

    static List<Violation> violations(RunFacts facts) {
        Map<String, CallFact> calls = facts.callsById();
        Set<String> answered = facts.results().stream().map(ResultFact::callId).collect(Collectors.toSet());
        List<Violation> found = new ArrayList<>();
        facts.effects().stream().filter(effect -> calls.containsKey(effect.callId()))
                .collect(Collectors.groupingBy(HandlerStart::instance)).forEach((instance, effects) -> {
                    found.addAll(overlaps(instance, effects, facts.faults()));
                    List<HandlerStart> inOrder = effects.stream()
                            .filter(effect -> !call(calls, effect.callId()).course().asked()).toList();
                    found.addAll(sequence("first starts", instance, starts(inOrder, calls, (first, later) -> first)));
                    // A call that runs again after a crash does so with all that came after it, but for those whose
                    // records were deleted with their topic by then: they have no results.
                    found.addAll(sequence("last starts", instance, starts(
                            inOrder.stream().filter(effect -> answered.contains(effect.callId())).toList(), calls,
                            (first, later) -> later)));
                });
        facts.results().stream().filter(result -> !result.replayed() && calls.containsKey(result.callId()))
                .sorted(Comparator.comparingLong(ResultFact::offset)).map(result -> call(calls, result.callId()))
                .collect(Collectors.groupingBy(CallFact::instance))
                .forEach((instance, inOrder) -> found
                        .addAll(sequence("results", instance, inOrder.stream().distinct().toList())));
        return found;
    }

    private static List<Violation> overlaps(String instance, List<HandlerStart> effects, List<Fault> faults) {
        List<Violation> found = new ArrayList<>();
        Optional<Runs> exclusive = Optional.empty();
        Optional<Runs> any = Optional.empty();
        for (Runs run : effects.stream().map(effect -> Runs.of(effect, faults))
                .sorted(Comparator.comparing(Runs::begin)).toList()) {
            boolean alone = run.effect().kind().exclusive();
            (alone ? any : exclusive).filter(before -> before.end().isAfter(run.begin()))
                    .ifPresent(before -> found.add(overlap(instance, before, run)));
            any = Optional.of(any.filter(before -> before.end().isAfter(run.end())).orElse(run));
            if (alone)
                exclusive = Optional.of(exclusive.filter(before -> before.end().isAfter(run.end())).orElse(run));
        }
        return found;
    }

    private static Violation overlap(String instance, Runs before, Runs run) {
        return new Violation(Promise.ORDER, instance, "overlap: " + told(run) + " began while " + told(before)
                + " ran, until " + (before.end().equals(Instant.MAX) ? "an unknown time" : before.end()));
    }

    private static String told(Runs run) {
        HandlerStart effect = run.effect();
        return effect.callId() + " (" + effect.kind() + ", attempt " + effect.attempt() + " on " + effect.worker()
                + ", " + run.begin() + ")";
    }

    /// The calls in the order of their chosen starts.
    private static List<CallFact> starts(List<HandlerStart> effects, Map<String, CallFact> calls,
            BinaryOperator<HandlerStart> chosen) {
        return effects.stream().sorted(Comparator.comparing(HandlerStart::begin))
                .collect(Collectors.toMap(HandlerStart::callId, effect -> effect, chosen, LinkedHashMap::new)).values()
                .stream()
                .sorted(Comparator.comparing(HandlerStart::begin)).map(effect -> call(calls, effect.callId())).toList();
    }

    /// Read-only calls may overtake each other; nothing else may overtake. A call that was written to two topics has no
    /// place: the first record may have gone unread with its topic.
    private static List<Violation> sequence(String what, String instance, List<CallFact> seen) {
        List<Violation> found = new ArrayList<>();
        Optional<CallFact> exclusive = Optional.empty();
        Optional<CallFact> any = Optional.empty();
        for (CallFact call : seen.stream().filter(CallFact::inOneTopic).toList()) {
            boolean alone = call.kind().exclusive();
            (alone ? any : exclusive).filter(before -> before.first().compareTo(call.first()) > 0)
                    .ifPresent(before -> found.add(new Violation(Promise.ORDER, instance,
                            what + ": " + call.id() + " (offset " + call.first() + ") came after " + before.id()
                                    + " (offset " + before.first() + "), partition " + call.partition())));
            any = latest(any, call);
            if (alone)
                exclusive = latest(exclusive, call);
        }
        return found;
    }

    private static Optional<CallFact> latest(Optional<CallFact> before, CallFact call) {
        return Optional.of(before.filter(other -> other.first().compareTo(call.first()) > 0).orElse(call));
    }

    private static CallFact call(Map<String, CallFact> calls, String id) {
        return Optional.ofNullable(calls.get(id)).orElseThrow();
    }
}
