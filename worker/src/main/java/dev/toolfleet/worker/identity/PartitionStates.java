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

import dev.toolfleet.wire.CancelCall;
import dev.toolfleet.wire.ToolRef;
import dev.toolfleet.worker.assignment.Position;
import org.jspecify.annotations.Nullable;

/// The state of every assigned partition. The take-over adds, the poll loop removes, calls ask. Thread-safe.
public final class PartitionStates {

    private record Assigned(long epoch, PartitionState state) {}

    private final Map<Integer, Assigned> states = new ConcurrentHashMap<>();
    private volatile Consumer<ToolRef> freed = tool -> {};
    private final LongAdder forgottenBefore = new LongAdder();

    /// Nothing is assigned.
    public PartitionStates() {}

    /// Tells `listener` of pending calls that end, or go to another worker: of partitions that are opened from now on.
    public void tell(Consumer<ToolRef> listener) {
        freed = listener;
    }

    /// How many calls wait for their handles that this tool answered with, in the assigned partitions.
    public int pending(ToolRef tool) {
        return states.values().stream().mapToInt(held -> held.state().waiting(calls -> calls.of(tool))).sum();
    }

    /// A take-over is complete. Comes before the partition's first call.
    public void opened(int partition, long epoch, PartitionState state) {
        state.tell(freed);
        states.put(partition, new Assigned(epoch, state));
    }

    /// The assignment has ended.
    public void closed(int partition, long epoch) {
        Assigned held = states.get(partition);
        if (held == null || held.epoch() != epoch)
            return;
        if (states.remove(partition, held))
            forgottenBefore.add(held.state().answers(DedupeWindow::forgotten));
        held.state().close();
    }

    /// The state under which a call was read; null when that assignment has ended.
    public @Nullable PartitionState of(Position position) {
        return of(position.partition(), position.epoch());
    }

    /// The state of an assignment; null when it has ended.
    public @Nullable PartitionState of(int partition, long epoch) {
        Assigned held = states.get(partition);
        return held != null && held.epoch() == epoch ? held.state() : null;
    }

    /// Offers an arrival to its lane, unless something that an earlier owner of its partition began has to be there first.
    /// False when it is refused, and has to be offered again.
    public boolean offer(Arrival arrival, Predicate<Arrival> lanes) {
        PartitionState state = of(arrival.position());
        if (state == null)
            return lanes.test(arrival);
        if (!state.admits(arrival) || !lanes.test(arrival))
            return false;
        state.claimed(arrival);
        return true;
    }

    /// The handles of pending calls of the assigned partitions that are meant.
    ///
    /// @param writtenAt when the cancellation was appended, in epoch milliseconds
    public List<String> handlesMeant(CancelCall cancel, long writtenAt) {
        return states.values().stream()
                .flatMap(held -> held.state().waiting(calls -> calls.meant(cancel, writtenAt)).stream()).toList();
    }

    /// Calls that wait for their handles, of the assigned partitions.
    public int pending() {
        return states.values().stream().mapToInt(held -> held.state().pending()).sum();
    }

    /// The same by tool; those that wait for a person have none.
    public Map<Optional<ToolRef>, PendingTool> pendingByTool() {
        Map<Optional<ToolRef>, PendingTool> all = new HashMap<>();
        states.values().forEach(held -> held.state().waiting(WaitingCalls::byTool)
                .forEach((tool, calls) -> all.merge(tool, calls, PendingTool::plus)));
        return all;
    }

    /// Answers that are known in all.
    public int answers() {
        return states.values().stream().mapToInt(held -> held.state().answers()).sum();
    }
    /// Since when every partition that has answers remembers them, in epoch milliseconds; none without answers.
    public OptionalLong rememberedSince() {
        return states.values().stream().mapToLong(held -> held.state().answers(DedupeWindow::oldest))
                .filter(oldest -> oldest >= 0)
                .max();
    }

    /// How many answers were forgotten because there were more than may be kept, also of assignments that have ended.
    public long forgotten() {
        return forgottenBefore.sum()
                + states.values().stream().mapToLong(held -> held.state().answers(DedupeWindow::forgotten)).sum();
    }
}
