package dev.toolfleet.bench.verdict;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

import dev.toolfleet.error.ErrorCode;

/// Whether every call was answered, and once.
final class AnswerCheck {
    static final String UNKNOWN = ErrorCode.E_TOOL_OUTCOME_UNKNOWN.name();

    private AnswerCheck() {}

    static List<Violation> violations(Facts facts) {
        List<Violation> found = new ArrayList<>();
        Map<String, List<ResultFact>> results = facts.resultsByCall();
        int records = facts.calls().stream().mapToInt(CallFact::records).sum();
        if (records < facts.acknowledged())
            found.add(new Violation(Promise.CALLS_KEPT, "tool.call",
                    facts.acknowledged() + " records acknowledged, " + records + " found"));
        facts.calls().stream().sorted(Comparator.comparing(CallFact::id)).forEach(call -> {
            List<ResultFact> mine = results.getOrDefault(call.id(), List.of());
            List<ResultFact> original = mine.stream().filter(result -> !result.replayed()).toList();
            if (mine.size() < call.records())
                found.add(new Violation(Promise.ANSWERED, call.id(),
                        mine.size() + " of " + call.records() + " final results; " + where(call)));
            if (original.size() > 1)
                found.add(new Violation(Promise.ONE_RESULT, call.id(),
                        original.size() + " final results that are not replayed, at offsets "
                                + original.stream().map(ResultFact::offset).toList() + "; " + where(call)));
            original.stream().flatMap(result -> result.error().stream()).filter(code -> !code.equals(UNKNOWN))
                    .forEach(code -> found.add(new Violation(Promise.NO_ERRORS, call.id(), code + "; " + where(call))));
        });
        return found;
    }

    /// Where a call is, for people who look.
    static String where(CallFact call) {
        return call.kind() + " of " + call.instance() + ", partition " + call.partition() + " offset " + call.offset()
                + ", sent " + call.sentAt() + (call.records() > 1 ? ", written " + call.records() + " times" : "");
    }
}
