package dev.toolfleet.bench.verdict;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;

import dev.toolfleet.bench.fault.Fault;
import dev.toolfleet.bench.load.Kind;
import dev.toolfleet.bench.timing.Latencies;
import dev.toolfleet.bench.verdict.UnknownCheck.UnknownOutcome;

/// Report of a run about the promises.
///
/// @param clients those over HTTP; empty in a run without gateways
/// @param messages of results in sessions; 0 in a run without session services
/// @param guarded calls that sent after both labels; empty in a run without labels
/// @param effectsPerCall by kind: number of calls by number of effects
/// @param stalls the longest of each sort
/// @param takeOvers of partitions by workers
/// @param warmTakeOvers those of workers that had been ready before
/// @param violations empty when every promise was kept
public record CrashReport(Counts counts, Optional<Clients> clients, int messages,
        Optional<Guarded> guarded,
        Map<Kind, SortedMap<Integer, Long>> effectsPerCall,
        List<UnknownOutcome> unknown,
        List<Stall> stalls, TakeOvers takeOvers, TakeOvers warmTakeOvers, List<Fault> faults,
        List<Violation> violations) {

    /// Numbers of a run.
    ///
    /// @param calls different ones
    /// @param records of calls, duplicates written on purpose included
    /// @param results final ones that are not replayed
    /// @param pending results that are not replayed and not final
    /// @param lost calls whose topic was deleted before their result was committed, and which are owed nothing
    /// @param errors of the final results, by code
    public record Counts(int calls, int records, int results, int replayed, int pending, int lost, int effects,
            SortedMap<String, Long> errors) {}

    /// Clients over HTTP.
    ///
    /// @param count one for each call, and one for each that is made again with its key
    /// @param requests that they sent, those that wait for a result included
    /// @param answered those that got their final result
    public record Clients(int count, int requests, int answered) {}

    /// Calls that send.
    ///
    /// @param after those that were written after both labels had been received
    public record Guarded(int sending, int after) {}

    /// Durations of take-overs: each from the assignment of a partition until its calls are read.
    ///
    /// @param most that which nine of ten do not exceed
    public record TakeOvers(int count, Duration median, Duration most, Duration longest) {
        static TakeOvers of(List<TakeOverTime> all) {
            Latencies sorted = new Latencies();
            all.forEach(each -> sorted.add(each.took().toNanos()));
            return new TakeOvers(sorted.count(), sorted.at(50), sorted.at(90), sorted.at(100));
        }
    }

    /// True if every promise was kept.
    public boolean kept() {
        return violations.isEmpty();
    }

    /// Number of violations of a promise.
    public long broken(Promise promise) {
        return violations.stream().filter(violation -> violation.promise() == promise).count();
    }
}
