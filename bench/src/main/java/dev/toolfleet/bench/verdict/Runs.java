package dev.toolfleet.bench.verdict;

import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

import dev.toolfleet.bench.effect.HandlerStart;
import dev.toolfleet.bench.fault.Fault;
import dev.toolfleet.bench.fault.FaultKind;

/// From when to when a handler counts as running.
///
/// @param end exclusive; [Instant#MAX] when no end is known
record Runs(HandlerStart effect, Instant begin, Instant end) {

    /// A run ends with its last line, with the death of its worker, or where its worker was frozen: what a frozen
    /// worker does later it does as one that is no longer in its group.
    static Runs of(HandlerStart effect, List<Fault> faults) {
        Instant end = effect.end().orElse(Instant.MAX);
        Stream<Instant> ends = faults.stream().filter(fault -> fault.target().equals(effect.worker()))
                .map(fault -> fault.kind() == FaultKind.FREEZE ? fault.from() : fault.until())
                .filter(cut -> !cut.isBefore(effect.begin()));
        return new Runs(effect, effect.begin(),
                Stream.concat(Stream.of(end), ends).min(Comparator.naturalOrder()).orElse(end));
    }
}
