package dev.toolfleet.bench.verdict;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/// The results that the fleet owes to calls. A call whose topic was deleted before its result was committed is owed
/// nothing, also when it had begun (decision 48). A pending result outlives the topic, and its call is owed the final
/// one.
final class Owed {
    private final int deletedTopics;
    private final Set<String> pending;

    Owed(RunFacts facts) {
        this.deletedTopics = facts.deletedTopics();
        this.pending = facts.results().stream().filter(result -> !result.answer().last()).map(ResultFact::callId)
                .collect(Collectors.toSet());
    }

    /// Results of any status that the call is owed: one for each record.
    int results(CallFact call) {
        return Math.max(kept(call), pending.contains(call.id()) ? 1 : 0);
    }

    /// Final results among them. One is enough for all records that were written while the call was pending.
    int finals(CallFact call) {
        return call.course().deferred() ? Math.min(1, results(call)) : results(call);
    }

    /// True if the call went with its topic.
    boolean excused(CallFact call, List<ResultFact> its) {
        return results(call) == 0 && its.isEmpty();
    }

    private int kept(CallFact call) {
        return (int) call.records().stream().filter(record -> record.topic() >= deletedTopics).count();
    }
}
