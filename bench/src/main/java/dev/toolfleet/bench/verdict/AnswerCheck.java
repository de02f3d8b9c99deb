package dev.toolfleet.bench.verdict;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

import dev.toolfleet.bench.load.Course;
import dev.toolfleet.error.ErrorCode;

/// Check that every call was answered, and once.
final class AnswerCheck {
    static final String UNKNOWN = ErrorCode.E_TOOL_OUTCOME_UNKNOWN.name();
    static final String REJECTED = ErrorCode.E_TOOL_APPROVAL_REJECTED.name();

    private AnswerCheck() {}

    static List<Violation> violations(RunFacts facts) {
        List<Violation> found = new ArrayList<>();
        Map<String, List<ResultFact>> results = facts.resultsByCall();
        Owed owed = new Owed(facts);
        facts.gone().forEach(record -> found
                .add(new Violation(Promise.CALLS_KEPT, "tool.call", "acknowledged and not found: " + record)));
        facts.calls().stream().sorted(Comparator.comparing(CallFact::id))
                .forEach(call -> check(call, results.getOrDefault(call.id(), List.of()), owed, found));
        return found;
    }

    private static void check(CallFact call, List<ResultFact> its, Owed owed, List<Violation> found) {
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
        originals.stream().flatMap(result -> result.answer().error().stream())
                .filter(code -> !code.equals(UNKNOWN))
                .filter(code -> !(call.course() == Course.REJECTED && code.equals(REJECTED)))
                .forEach(code -> found.add(new Violation(Promise.NO_ERRORS, call.id(), code + "; " + call.where())));
    }
}
