package dev.toolfleet.bench.verdict;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

import dev.toolfleet.bench.effect.Effect;
import dev.toolfleet.bench.fault.Fault;

/// What was seen in a run.
///
/// @param acknowledged how many records of calls the broker said it has
/// @param calls in no particular order, as everything here
/// @param collapsed workers that ended although nobody asked them to
public record Facts(int acknowledged, List<CallFact> calls, List<ResultFact> results, List<Effect> effects,
        List<IntentFact> intents, List<Fault> faults, List<String> collapsed) {
    /// Copies the lists.
    public Facts {
        calls = List.copyOf(calls);
        results = List.copyOf(results);
        effects = List.copyOf(effects);
        intents = List.copyOf(intents);
        faults = List.copyOf(faults);
        collapsed = List.copyOf(collapsed);
    }

    Map<String, CallFact> callsById() {
        return calls.stream().collect(Collectors.toMap(CallFact::id, Function.identity()));
    }

    Map<String, List<ResultFact>> resultsByCall() {
        return results.stream().sorted(Comparator.comparingLong(ResultFact::offset))
                .collect(Collectors.groupingBy(ResultFact::callId));
    }

    Map<String, List<Effect>> effectsByCall() {
        return effects.stream().sorted(Comparator.comparing(Effect::begin))
                .collect(Collectors.groupingBy(Effect::callId));
    }
}
