package dev.toolfleet.bench.verdict;

import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.toolfleet.bench.effect.HandlerStart;
import dev.toolfleet.bench.fault.Fault;
import dev.toolfleet.bench.fault.FaultKind;
import dev.toolfleet.bench.load.Kind;

/// Check that an outcome is unknown only where it cannot be known.
///
/// Of a call that must not run twice: when, between its intent and its result, the worker that began it or was to, or
/// the process of its handlers, was killed, or the worker was frozen, a broker was away, or the call's topic was deleted. Of any other call: when two workers died while
/// they ran it, or one died that had noted that it takes the call after the death of another. That other one may have
/// had the call without running it, and calls that were written until its death was found count too (decision 55). A
/// planned stop explains nothing, since its drain is longer than the longest call; neither do offsets that are set back
/// or gone, a limit, or a wrong clock.
final class UnknownCheck {
    private static final int POISON = 2;

    private UnknownCheck() {}

    static List<UnknownOutcome> unknowns(RunFacts facts, Duration settle) {
        Map<String, CallFact> calls = facts.callsById();
        Map<String, List<HandlerStart>> effects = facts.effectsByCall();
        Map<String, List<IntentFact>> intents = facts.intents().stream()
                .collect(Collectors.groupingBy(IntentFact::callId));
        Faults faults = new Faults(facts.faults(), settle);
        return facts.results().stream()
                .filter(result -> !result.replayed()
                        && result.answer().error().equals(Optional.of(AnswerCheck.UNKNOWN)))
                .filter(result -> calls.containsKey(result.callId()))
                .map(result -> unknown(Optional.ofNullable(calls.get(result.callId())).orElseThrow(), result,
                        effects.getOrDefault(result.callId(), List.of()),
                        intents.getOrDefault(result.callId(), List.of()), faults))
                .sorted(Comparator.comparing(UnknownOutcome::callId)).toList();
    }

    /// A worker that was about to start a call, and when.
    private record Starter(String worker, Instant at) {}

    private record Faults(List<Fault> faults, Duration settle) {
        Optional<Fault> explaining(Starter starter, Instant until) {
            return faults.stream().filter(fault -> switch (fault.kind()) {
                case KILL, FREEZE, HOST ->
                    fault.target().equals(starter.worker()) && fault.touches(starter.at(), until);
                case BROKER -> new Fault(fault.kind(), fault.target(), fault.from(), fault.until().plus(settle))
                        .touches(starter.at(), until);
                case RECREATE -> fault.touches(starter.at(), until);
                case STOP, REWIND, FORGET, QUOTA, CLOCK, GATEWAY, SESSION -> false;
            }).findFirst();
        }

        /// True if the worker died, or was taken for dead, while it ran that.
        boolean died(HandlerStart effect, Instant until) {
            return deaths().anyMatch(fault -> fault.target().equals(effect.worker())
                    && fault.touches(effect.begin(), effect.end().orElse(until)));
        }

        /// True if the worker died after it had noted the call, and another death had been found before, when the call
        /// was there or a little earlier.
        boolean diedAfterAnother(IntentFact note, Instant sent, Instant until) {
            return note.deaths() > 0 && deaths()
                    .filter(second -> second.target().equals(note.worker()) && second.touches(note.at(), until))
                    .anyMatch(second -> deaths().anyMatch(first -> !first.equals(second)
                            && first.from().isBefore(note.at()) && !first.until().plus(settle).isBefore(sent)));
        }

        private Stream<Fault> deaths() {
            return faults.stream()
                    .filter(fault -> fault.kind() == FaultKind.KILL || fault.kind() == FaultKind.FREEZE);
        }
    }

    private static UnknownOutcome unknown(CallFact call, ResultFact result, List<HandlerStart> effects,
            List<IntentFact> intents,
            Faults faults) {
        Optional<Starter> starter = effects.stream().findFirst()
                .map(effect -> new Starter(effect.worker(), effect.begin()))
                .or(() -> intents.stream().max(Comparator.comparing(IntentFact::at))
                        .map(intent -> new Starter(intent.worker(), intent.at())));
        Instant from = starter.map(Starter::at).orElse(call.sentAt());
        if (call.kind() != Kind.ONCE) {
            long deaths = effects.stream().filter(effect -> faults.died(effect, result.seenAt())).count();
            boolean noted = intents.stream()
                    .anyMatch(note -> faults.diedAfterAnother(note, call.sentAt(), result.seenAt()));
            return new UnknownOutcome(call.id(), call.partition(), call.first().offset(), effects.size(), from,
                    result.seenAt(), deaths >= POISON || noted,
                    "it may run again; of the workers that ran it " + deaths + " died meanwhile, and " + POISON
                            + " must; and none died that had noted it after the death of another");
        }
        Optional<Fault> fault = starter.flatMap(who -> faults.explaining(who, result.seenAt()));
        boolean proven = fault.isPresent() && effects.size() <= 1;
        String why = fault.map(UnknownCheck::text).orElse(starter
                .map(who -> who.worker() + " had it, and was neither killed nor frozen; the broker was there")
                .orElse("no worker began it, and none announced that it would"));
        return new UnknownOutcome(call.id(), call.partition(), call.first().offset(), effects.size(), from,
                result.seenAt(),
                proven, why);
    }

    static List<Violation> violations(List<UnknownOutcome> unknowns) {
        return unknowns.stream().filter(unknown -> !unknown.proven())
                .map(unknown -> new Violation(Promise.KNOWN, unknown.callId(),
                        unknown.effects() + " effects, partition " + unknown.partition() + " offset "
                                + unknown.offset() + ", from " + unknown.from() + " until " + unknown.until() + ": "
                                + unknown.why()))
                .toList();
    }

    private static String text(Fault fault) {
        return fault.kind() + " of " + fault.target() + " at " + fault.from()
                + (fault.kind() == FaultKind.KILL ? "" : " until " + fault.until());
    }

    /// Call whose outcome is unknown to the fleet.
    ///
    /// @param effects how often its effect began
    /// @param from when its worker was about to start it, if that is known; else when it was sent
    /// @param until when its result came
    /// @param proven whether a fault between the two explains it
    /// @param why the fault, or what is missing
    public record UnknownOutcome(String callId, int partition, long offset, int effects, Instant from, Instant until,
            boolean proven, String why) {}
}
