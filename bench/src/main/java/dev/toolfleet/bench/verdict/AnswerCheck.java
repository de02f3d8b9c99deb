package dev.toolfleet.bench.verdict;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import dev.toolfleet.bench.fault.Fault;
import dev.toolfleet.bench.fault.FaultKind;
import dev.toolfleet.bench.load.Course;
import dev.toolfleet.bench.load.Kind;
import dev.toolfleet.error.ErrorCode;

/// Check that every call was answered, and once, and failed only where a fault explains it.
///
/// A call that may run again ends with `E_TOOL` when the process of its handlers ended twice under it. Both ends must be
/// faults of one worker, between the call and its result.
final class AnswerCheck {
    static final String UNKNOWN = ErrorCode.E_TOOL_OUTCOME_UNKNOWN.name();
    static final String REJECTED = ErrorCode.E_TOOL_APPROVAL_REJECTED.name();
    private static final String CRASHED = ErrorCode.E_TOOL.name();
    private static final int HOSTS_OF_A_CALL = 2;

    private AnswerCheck() {}

    static List<Violation> violations(RunFacts facts) {
        List<Violation> found = new ArrayList<>();
        Map<String, List<ResultFact>> results = facts.resultsByCall();
        Owed owed = new Owed(facts);
        List<Fault> hostFaults = facts.faults().stream().filter(fault -> fault.kind() == FaultKind.HOST).toList();
        facts.gone().forEach(record -> found
                .add(new Violation(Promise.CALLS_KEPT, "tool.call", "acknowledged and not found: " + record)));
        facts.calls().stream().sorted(Comparator.comparing(CallFact::id))
                .forEach(call -> check(call, results.getOrDefault(call.id(), List.of()), owed, hostFaults, found));
        return found;
    }

    private static void check(CallFact call, List<ResultFact> its, Owed owed, List<Fault> hostFaults,
            List<Violation> found) {
        long finals = its.stream().filter(result -> result.answer().last()).count();
        if (finals < owed.finals(call))
            found.add(new Violation(Promise.ANSWERED, call.id(),
                    finals + " of " + owed.finals(call) + " final results; " + call.where()));
        else if (its.size() < owed.results(call))
            found.add(new Violation(Promise.ANSWERED, call.id(),
                    its.size() + " results of " + owed.results(call) + " records; " + call.where()));
        List<ResultFact> originals = its.stream().filter(ResultFact::original).toList();
        if (originals.size() > 1)
            found.add(new Violation(Promise.ONE_RESULT, call.id(),
                    originals.size() + " final results that are not replayed, at offsets "
                            + originals.stream().map(ResultFact::offset).toList() + "; " + call.where()));
        originals.stream().filter(result -> !lostTwoHosts(call, result, hostFaults))
                .flatMap(result -> result.answer().error().stream())
                .filter(code -> !code.equals(UNKNOWN))
                .filter(code -> !(call.course() == Course.REJECTED && code.equals(REJECTED)))
                .forEach(code -> found.add(new Violation(Promise.NO_ERRORS, call.id(), code + "; " + call.where())));
    }

    private static boolean lostTwoHosts(CallFact call, ResultFact result, List<Fault> hostFaults) {
        return call.kind() != Kind.ONCE && result.answer().error().stream().anyMatch(CRASHED::equals)
                && hostFaults.stream().filter(fault -> fault.touches(call.sentAt(), result.seenAt()))
                        .collect(Collectors.groupingBy(Fault::target, Collectors.counting()))
                        .values().stream().anyMatch(ends -> ends >= HOSTS_OF_A_CALL);
    }
}
