package dev.toolfleet.policy;

import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

import dev.toolfleet.wire.LabelOrder;

/// Labels that operators have cleared, by their orders on `tool.operator`.
///
/// **Contract.** An order holds for [LabelOrder#HOLDS] from its record's time, in every process that has read it. At most
/// [#MOST] are kept; the oldest go first, and their labels count again unless the journal has them as cleared.
///
/// **Threads.** One thread adds. Any thread reads, at the cost of one map look-up.
public final class ClearedLabels {
    /// Most orders that are kept; people write them one by one.
    static final int MOST = 10_000;

    private final InstantSource clock;
    private final Map<String, List<Written>> orders = new ConcurrentHashMap<>();
    /// All instances in the order in which their orders came.
    private final Deque<String> all = new ArrayDeque<>();

    /// @param at append time, in epoch milliseconds
    private record Written(LabelOrder order, long at) {}

    /// Knows no order.
    ///
    /// @param clock ends orders
    public ClearedLabels(InstantSource clock) {
        this.clock = clock;
    }

    /// Adds an order.
    ///
    /// @param at append time of its record, in epoch milliseconds
    public void add(LabelOrder order, long at) {
        orders.merge(order.instanceKey(), List.of(new Written(order, at)),
                (before, one) -> Stream.concat(before.stream(), one.stream()).toList());
        all.add(order.instanceKey());
        if (all.size() > MOST)
            orders.computeIfPresent(all.removeFirst(),
                    (instance, each) -> each.size() == 1 ? null : each.subList(1, each.size()));
    }

    /// Returns the largest count up to which an order that holds clears that label of an instance; 0 if none does.
    public long upTo(String instance, String label) {
        long upTo = 0;
        for (Written each : orders.getOrDefault(instance, List.of())) {
            if (each.order().names(label) && each.at() >= clock.millis() - LabelOrder.HOLDS.toMillis())
                upTo = Math.max(upTo, each.order().upTo());
        }
        return upTo;
    }
}
