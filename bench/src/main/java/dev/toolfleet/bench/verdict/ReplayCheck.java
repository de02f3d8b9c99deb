package dev.toolfleet.bench.verdict;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Check of what replays say: a replay is the latest answer again, and nothing that is pending lies behind a final
/// result. Otherwise a caller that reads on from the replay waits for an end that it has missed.
final class ReplayCheck {
    private ReplayCheck() {}

    static List<Violation> violations(RunFacts facts) {
        List<Violation> found = new ArrayList<>();
        Map<String, List<ResultFact>> results = facts.resultsByCall();
        results.keySet().stream().sorted().forEach(call -> {
            Optional<ResultFact> latest = Optional.empty();
            for (ResultFact result : results.getOrDefault(call, List.of())) {
                Optional<ResultFact> before = latest;
                problem(before, result).ifPresent(problem -> found
                        .add(new Violation(Promise.REPLAYS, call, place(result) + ": " + problem)));
                if (!result.replayed())
                    latest = Optional.of(result);
            }
        });
        return found;
    }

    private static Optional<String> problem(Optional<ResultFact> latest, ResultFact result) {
        if (latest.isEmpty())
            return result.replayed() ? Optional.of("replays a result that is not there") : Optional.empty();
        GivenAnswer before = latest.get().answer();
        GivenAnswer now = result.answer();
        if (before.last() && !now.last())
            return Optional.of("is pending" + (result.replayed() ? ", replayed," : "") + " behind the final result at "
                    + latest.get().offset());
        return !result.replayed() || same(before, now)
                ? Optional.empty()
                : Optional.of("replays something else than the result at " + latest.get().offset());
    }

    /// A fleet that has forgotten a pending result replays its handle alone.
    private static boolean same(GivenAnswer before, GivenAnswer now) {
        return before.digest().equals(now.digest())
                || (!now.last() && now.output().isEmpty() && before.handle().equals(now.handle()));
    }

    private static String place(ResultFact result) {
        return "result in partition " + result.partition() + " at " + result.offset();
    }
}
