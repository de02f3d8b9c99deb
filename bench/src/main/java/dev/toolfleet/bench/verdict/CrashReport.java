package dev.toolfleet.bench.verdict;

import java.util.List;
import java.util.Map;
import java.util.SortedMap;

import dev.toolfleet.bench.fault.Fault;
import dev.toolfleet.bench.load.Kind;

/// Report of a run about the promises.
///
/// @param effectsPerCall by kind: how many calls had so many effects
/// @param stalls the longest of each sort
/// @param violations empty when every promise was kept
public record CrashReport(Counts counts, Map<Kind, SortedMap<Integer, Long>> effectsPerCall, List<Unknown> unknown,
        List<Stall> stalls, List<Fault> faults, List<Violation> violations) {

    /// Numbers of a run.
    ///
    /// @param calls different ones
    /// @param records of calls, duplicates written on purpose included
    /// @param results final ones that are not replayed
    /// @param pending results that are not replayed and not final
    /// @param lost calls that went unanswered with a deleted topic, and are owed nothing
    /// @param errors of the final results, by code
    public record Counts(int calls, int records, int results, int replayed, int pending, int lost, int effects,
            SortedMap<String, Long> errors) {}

    /// Whether every promise was kept.
    public boolean kept() {
        return violations.isEmpty();
    }

    /// How many violations of a promise there are.
    public long broken(Promise promise) {
        return violations.stream().filter(violation -> violation.promise() == promise).count();
    }
}
