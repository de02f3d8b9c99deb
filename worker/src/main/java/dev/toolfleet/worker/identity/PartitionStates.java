package dev.toolfleet.worker.identity;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;

import dev.toolfleet.wire.CancelCall;
import dev.toolfleet.wire.InstanceLabel;
import dev.toolfleet.wire.ToolRef;
import dev.toolfleet.worker.assignment.Position;
import org.jspecify.annotations.Nullable;

/// States of all assigned partitions. The take-over adds, the poll loop removes, calls read. Thread-safe.
public final class PartitionStates {

    private record Assigned(long epoch, PartitionState state) {}

    private final Map<Integer, Assigned> states = new ConcurrentHashMap<>();
    private volatile Consumer<ToolRef> freed = tool -> {};
    private volatile ToLongFunction<InstanceLabel> clearedUpTo = label -> 0;
    private volatile InstanceLabels.Fleet fleet = InstanceLabels.Fleet.NONE;
    private volatile BudgetLedger.Fleet spending = BudgetLedger.Fleet.NONE;
    private final LongAdder forgottenBefore = new LongAdder();

    /// Creates an empty set.
    public PartitionStates() {}

    /// Sets the listener for the tools of pending calls that end, or go to another worker, in partitions that are
    /// opened from now on.
    public void tell(Consumer<ToolRef> listener) {
        freed = listener;
    }

    /// Sets the source of what operators have cleared, for partitions that are opened from now on.
    ///
    /// @param orders returns, for a label, the count up to which it is cleared; 0 for none
    public void clearedBy(ToLongFunction<InstanceLabel> orders) {
        clearedUpTo = orders;
    }

    /// Sets the source of the labels that instances have from others, for partitions that are opened from now on.
    public void labelsFrom(InstanceLabels.Fleet source) {
        fleet = source;
    }

    /// Sets the source of what agents and users have spent in other partitions, for partitions that are opened from now
    /// on.
    public void spendingFrom(BudgetLedger.Fleet source) {
        spending = source;
    }

    /// Number of this tool's calls that wait for their handles, in the assigned partitions.
    public int pending(ToolRef tool) {
        return states.values().stream().mapToInt(held -> held.state().waiting(calls -> calls.of(tool))).sum();
    }

    /// Adds the state of a partition that was taken over. Must come before the partition's first call.
    public void opened(int partition, long epoch, PartitionState state) {
        state.tell(freed);
        state.labels().clearedBy(clearedUpTo);
        state.labels().knownFrom(fleet);
        state.budgets().knownFrom(spending);
        spending.opened(partition, state.budgets());
        states.put(partition, new Assigned(epoch, state));
    }

    /// Removes the state of an assignment that has ended.
    public void closed(int partition, long epoch) {
        Assigned held = states.get(partition);
        if (held == null || held.epoch() != epoch)
            return;
        if (states.remove(partition, held))
            forgottenBefore.add(held.state().answers(DedupeWindow::forgotten));
        spending.closed(partition, held.state().budgets());
        held.state().close();
    }

    /// Returns the state under which a call was read; null if that assignment has ended.
    public @Nullable PartitionState of(Position position) {
        return of(position.partition(), position.epoch());
    }

    /// Returns the state of an assignment; null if it has ended.
    public @Nullable PartitionState of(int partition, long epoch) {
        Assigned held = states.get(partition);
        return held != null && held.epoch() == epoch ? held.state() : null;
    }

    /// Offers an arrival to its lane, unless a call that an earlier owner began has to be there first. Returns false if
    /// it is refused, and has to be offered again.
    public boolean offer(Arrival arrival, Predicate<Arrival> lanes) {
        PartitionState state = of(arrival.position());
        if (state == null)
            return lanes.test(arrival);
        if (!state.admits(arrival) || !lanes.test(arrival))
            return false;
        state.claimed(arrival);
        return true;
    }

    /// Returns the handles of the pending calls that a cancellation means, in the assigned partitions.
    ///
    /// @param writtenAt append time of the cancellation, in epoch milliseconds
    public List<String> handlesMeant(CancelCall cancel, long writtenAt) {
        return states.values().stream()
                .flatMap(held -> held.state().waiting(calls -> calls.meant(cancel, writtenAt)).stream()).toList();
    }

    /// Number of calls that wait for their handles, in the assigned partitions.
    public int pending() {
        return states.values().stream().mapToInt(held -> held.state().pending()).sum();
    }

    /// Returns these calls by tool; calls that wait for a person have none.
    public Map<Optional<ToolRef>, PendingTool> pendingByTool() {
        Map<Optional<ToolRef>, PendingTool> all = new HashMap<>();
        states.values().forEach(held -> held.state().waiting(WaitingCalls::byTool)
                .forEach((tool, calls) -> all.merge(tool, calls, PendingTool::plus)));
        return all;
    }

    /// Number of answers that are known in all.
    public int answers() {
        return states.values().stream().mapToInt(held -> held.state().answers()).sum();
    }
    /// Returns the time since which every partition with answers remembers them, in epoch milliseconds; empty without
    /// answers.
    public OptionalLong rememberedSince() {
        return states.values().stream().mapToLong(held -> held.state().answers(DedupeWindow::oldest))
                .filter(oldest -> oldest >= 0)
                .max();
    }

    /// Number of answers that were forgotten because there were too many, including those of assignments that have
    /// ended.
    public long forgotten() {
        return forgottenBefore.sum()
                + states.values().stream().mapToLong(held -> held.state().answers(DedupeWindow::forgotten)).sum();
    }
}
