package dev.toolfleet.worker.lane;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import dev.toolfleet.worker.identity.Arrival;
import dev.toolfleet.worker.lane.LaneLimits.Load;

/// What is in flight, by assignment. The sum is derived: there is no second counter that could drift.
final class PartitionLoads {
    private record Assignment(int partition, long epoch) {}

    private static final Load NOTHING = new Load(0, 0);

    private final Map<Assignment, Load> loads = new ConcurrentHashMap<>();

    void add(Arrival arrival) {
        loads.merge(of(arrival), new Load(1, arrival.bytes()),
                (a, b) -> new Load(a.calls() + b.calls(), a.bytes() + b.bytes()));
    }

    void remove(Arrival arrival) {
        loads.computeIfPresent(of(arrival), (_, load) -> load.calls() == 1
                ? null
                : new Load(load.calls() - 1, load.bytes() - arrival.bytes()));
    }

    Load of(int partition, long epoch) {
        return loads.getOrDefault(new Assignment(partition, epoch), NOTHING);
    }

    Load all() {
        int calls = 0;
        long bytes = 0;
        for (Load load : loads.values()) {
            calls += load.calls();
            bytes += load.bytes();
        }
        return new Load(calls, bytes);
    }

    private static Assignment of(Arrival arrival) {
        return new Assignment(arrival.position().partition(), arrival.position().epoch());
    }
}
