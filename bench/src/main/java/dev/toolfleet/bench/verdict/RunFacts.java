package dev.toolfleet.bench.verdict;

import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

import dev.toolfleet.bench.effect.HandlerStart;
import dev.toolfleet.bench.fault.Fault;
import dev.toolfleet.bench.fault.FaultKind;

/// Observations of a run.
///
/// @param calls in no particular order, as everything here
/// @param gone acknowledged records that the present `tool.call` should have and has not
/// @param results pending ones too
/// @param collapsed workers that ended without being told to
/// @param takeOvers of partitions by workers
/// @param clients those over HTTP; none in a run without gateways
/// @param sessions their results and messages; none in a run without session services
public record RunFacts(List<CallFact> calls, List<String> gone, List<ResultFact> results, List<HandlerStart> effects,
        List<IntentFact> intents, List<DecisionFact> decisions, List<Fault> faults, List<String> collapsed,
        List<TakeOverTime> takeOvers, List<ClientFact> clients, SessionFacts sessions) {
    /// Copies the lists.
    public RunFacts {
        calls = List.copyOf(calls);
        gone = List.copyOf(gone);
        results = List.copyOf(results);
        effects = List.copyOf(effects);
        intents = List.copyOf(intents);
        decisions = List.copyOf(decisions);
        faults = List.copyOf(faults);
        collapsed = List.copyOf(collapsed);
        takeOvers = List.copyOf(takeOvers);
        clients = List.copyOf(clients);
    }

    Map<String, CallFact> callsById() {
        return calls.stream().collect(Collectors.toMap(CallFact::id, Function.identity()));
    }

    /// All results of each call, in their order.
    Map<String, List<ResultFact>> resultsByCall() {
        return results.stream().sorted(Comparator.comparingLong(ResultFact::offset))
                .collect(Collectors.groupingBy(ResultFact::callId));
    }

    Map<String, List<HandlerStart>> effectsByCall() {
        return effects.stream().sorted(Comparator.comparing(HandlerStart::begin))
                .collect(Collectors.groupingBy(HandlerStart::callId));
    }

    /// The number of topics named `tool.call` that were deleted.
    int deletedTopics() {
        return (int) faults.stream().filter(fault -> fault.kind() == FaultKind.RECREATE).count();
    }

    /// A person's decision about a call.
    ///
    /// @param at before it was written
    public record DecisionFact(String callId, boolean approved, Instant at) {}
}
