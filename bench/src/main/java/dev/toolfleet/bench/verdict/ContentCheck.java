package dev.toolfleet.bench.verdict;

import java.util.List;
import java.util.Map;
import java.util.Optional;

import dev.toolfleet.bench.load.Course;

/// Check that an answer that is ok is whole, the one of its own call, and has passed the middleware once. What a build
/// farm completes passes none.
final class ContentCheck {
    private ContentCheck() {}

    static List<Violation> violations(RunFacts facts) {
        Map<String, CallFact> calls = facts.callsById();
        return facts.results().stream().filter(result -> result.answer().ok() && calls.containsKey(result.callId()))
                .flatMap(result -> problem(Optional.ofNullable(calls.get(result.callId())).orElseThrow(),
                        result.answer().output())
                        .map(problem -> new Violation(Promise.CONTENT, result.callId(), problem
                                + "; result in partition " + result.partition() + " at " + result.offset()))
                        .stream())
                .toList();
    }

    private static Optional<String> problem(CallFact call, Optional<GivenAnswer.Output> answered) {
        int layers = call.course() == Course.PENDING ? 0 : 1;
        GivenAnswer.Output expected = new GivenAnswer.Output(call.id(), call.work().bytes(), layers);
        return answered.equals(Optional.of(expected))
                ? Optional.empty()
                : Optional.of("answered with " + answered.map(GivenAnswer.Output::toString).orElse("something else")
                        + " instead of " + expected);
    }
}
