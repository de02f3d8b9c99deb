package dev.toolfleet.bench.verdict;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

import dev.toolfleet.bench.effect.HandlerStart;
import dev.toolfleet.bench.load.Course;
import dev.toolfleet.bench.verdict.RunFacts.DecisionFact;

/// Check that a call that needs approval runs only after it was approved, and that a rejected one never does.
final class ApprovalCheck {
    private ApprovalCheck() {}

    static List<Violation> violations(RunFacts facts) {
        Map<String, List<HandlerStart>> effects = facts.effectsByCall();
        Map<String, List<ResultFact>> results = facts.resultsByCall();
        Map<String, Instant> approved = facts.decisions().stream().filter(DecisionFact::approved)
                .collect(Collectors.toMap(DecisionFact::callId, DecisionFact::at, (a, b) -> a.isBefore(b) ? a : b));
        List<Violation> found = new ArrayList<>();
        facts.calls().stream().filter(call -> call.course().asked()).forEach(call -> {
            effects.getOrDefault(call.id(), List.of()).stream().findFirst()
                    .flatMap(first -> unapproved(first, Optional.ofNullable(approved.get(call.id()))))
                    .ifPresent(problem -> found.add(new Violation(Promise.APPROVED, call.id(), problem)));
            if (call.course() == Course.REJECTED && results.getOrDefault(call.id(), List.of()).stream()
                    .anyMatch(result -> result.answer().ok()))
                found.add(new Violation(Promise.APPROVED, call.id(), "was rejected and is answered as done"));
        });
        return found;
    }

    private static Optional<String> unapproved(HandlerStart first, Optional<Instant> approved) {
        String began = "began on " + first.worker() + " at " + first.begin();
        if (approved.isEmpty())
            return Optional.of(began + " and was never approved");
        return approved.filter(at -> first.begin().isBefore(at)).map(at -> began + ", before its approval at " + at);
    }
}
