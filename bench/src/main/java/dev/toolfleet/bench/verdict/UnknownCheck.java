package dev.toolfleet.bench.verdict;

import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

import dev.toolfleet.bench.effect.Effect;
import dev.toolfleet.bench.fault.Fault;
import dev.toolfleet.bench.fault.FaultKind;

/// Whether an outcome that is said to be unknown could be known: it could, unless the worker that began the call, or was
/// to, was killed or frozen, or the broker was away, between its intent and its result. A planned stop explains nothing:
/// its drain is longer than the longest call.
final class UnknownCheck {
    private UnknownCheck() {}

    static List<Unknown> unknowns(Facts facts, Duration settle) {
        Map<String, CallFact> calls = facts.callsById();
        Map<String, List<Effect>> effects = facts.effectsByCall();
        Map<String, List<IntentFact>> intents = facts.intents().stream()
                .collect(Collectors.groupingBy(IntentFact::callId));
        return facts.results().stream()
                .filter(result -> !result.replayed() && result.error().equals(Optional.of(AnswerCheck.UNKNOWN)))
                .filter(result -> calls.containsKey(result.callId()))
                .map(result -> unknown(Optional.ofNullable(calls.get(result.callId())).orElseThrow(), result,
                        effects.getOrDefault(result.callId(), List.of()),
                        intents.getOrDefault(result.callId(), List.of()), new Faults(facts.faults(), settle)))
                .sorted(Comparator.comparing(Unknown::callId)).toList();
    }

    /// A worker that was about to start a call, and when.
    private record Starter(String worker, Instant at) {}

    private record Faults(List<Fault> faults, Duration settle) {
        Optional<Fault> explaining(Starter starter, Instant until) {
            return faults.stream().filter(fault -> switch (fault.kind()) {
                case KILL, FREEZE -> fault.target().equals(starter.worker()) && fault.touches(starter.at(), until);
                case BROKER -> new Fault(fault.kind(), fault.target(), fault.from(), fault.until().plus(settle))
                        .touches(starter.at(), until);
                case STOP -> false;
            }).findFirst();
        }
    }

    private static Unknown unknown(CallFact call, ResultFact result, List<Effect> effects, List<IntentFact> intents,
            Faults faults) {
        Optional<Starter> starter = effects.stream().findFirst()
                .map(effect -> new Starter(effect.worker(), effect.begin()))
                .or(() -> intents.stream().max(Comparator.comparing(IntentFact::at))
                        .map(intent -> new Starter(intent.worker(), intent.at())));
        Optional<Fault> fault = starter.flatMap(who -> faults.explaining(who, result.seenAt()));
        boolean proven = fault.isPresent() && effects.size() <= 1;
        String why = fault.map(UnknownCheck::told).orElse(starter
                .map(who -> who.worker() + " had it, and was neither killed nor frozen; the broker was there")
                .orElse("no worker began it, and none announced that it would"));
        return new Unknown(call.id(), call.partition(), call.offset(), effects.size(),
                starter.map(Starter::at).orElse(call.sentAt()), result.seenAt(), proven, why);
    }

    static List<Violation> violations(List<Unknown> unknowns) {
        return unknowns.stream().filter(unknown -> !unknown.proven())
                .map(unknown -> new Violation(Promise.KNOWN, unknown.callId(),
                        unknown.effects() + " effects, partition " + unknown.partition() + " offset "
                                + unknown.offset() + ", from " + unknown.from() + " until " + unknown.until() + ": "
                                + unknown.why()))
                .toList();
    }

    private static String told(Fault fault) {
        return fault.kind() + " of " + fault.target() + " at " + fault.from()
                + (fault.kind() == FaultKind.KILL ? "" : " until " + fault.until());
    }
}
