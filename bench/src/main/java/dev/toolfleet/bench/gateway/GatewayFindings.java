package dev.toolfleet.bench.gateway;

import java.util.ArrayList;
import java.util.List;

import dev.toolfleet.bench.timing.Latencies;

/// Measurements of a run.
///
/// @param loads calls that came evenly, by share of the gateway's capacity
/// @param memory of the gateway without open streams and with them
/// @param disk of the read model after all calls
record GatewayFindings(List<Capacity> capacities, List<Rated> loads, Memory memory, Disk disk) {
    GatewayFindings {
        capacities = List.copyOf(capacities);
        loads = List.copyOf(loads);
    }

    /// Right answers a second while some clients call without a pause.
    record Capacity(String door, int round, double perSecond, int failed) {}

    /// Calls that came evenly.
    ///
    /// @param share of the gateway's capacity, in percent
    /// @param loadAverage of the machine at the end
    record Rated(String door, int share, int rate, int round, int failed, Latencies times, double loadAverage) {}

    /// Memory of the gateway's process.
    ///
    /// @param streams that were open
    record Memory(int streams, long residentBefore, long residentWith, long heapBefore, long heapWith) {}

    /// Cost of the read model.
    ///
    /// @param calls that it has
    /// @param records that it read
    /// @param topics bytes of the topics that it reads, as the broker stores them
    /// @param stores bytes of its stores at their owner
    /// @param changelogs bytes of the stores' changelogs, before their compaction
    record Disk(int calls, long records, long topics, long stores, long changelogs) {}

    int failed() {
        List<Integer> failures = new ArrayList<>(capacities.stream().map(Capacity::failed).toList());
        failures.addAll(loads.stream().map(Rated::failed).toList());
        return failures.stream().mapToInt(Integer::intValue).sum();
    }
}
