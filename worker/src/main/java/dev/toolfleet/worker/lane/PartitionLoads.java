package dev.toolfleet.worker.lane;

import java.util.HashMap;
import java.util.Map;

import dev.toolfleet.worker.identity.Arrival;
import dev.toolfleet.worker.lane.LaneLimits.Load;

/// What is in flight, by assignment and in all. Thread-safe; both change together, so that nobody ever sees more than
/// is there.
final class PartitionLoads {
    private record Assignment(int partition, long epoch) {}

    private static final Load NOTHING = new Load(0, 0);

    private final Map<Assignment, Load> loads = new HashMap<>();
    private Load all = NOTHING;

    synchronized void add(Arrival arrival) {
        loads.merge(of(arrival), new Load(1, arrival.bytes()), Load::plus);
        all = all.plus(new Load(1, arrival.bytes()));
    }

    synchronized void remove(Arrival arrival) {
        Load gone = new Load(-1, -arrival.bytes());
        loads.computeIfPresent(of(arrival), (_, load) -> load.calls() == 1 ? null : load.plus(gone));
        all = all.plus(gone);
    }

    synchronized Load of(int partition, long epoch) {
        return loads.getOrDefault(new Assignment(partition, epoch), NOTHING);
    }

    synchronized Load all() {
        return all;
    }

    private static Assignment of(Arrival arrival) {
        return new Assignment(arrival.position().partition(), arrival.position().epoch());
    }
}
