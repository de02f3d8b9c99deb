package dev.toolfleet.worker.simulation;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;

import dev.toolfleet.wire.Completion;
import dev.toolfleet.wire.PendingCall;
import dev.toolfleet.wire.ToolResult;
import dev.toolfleet.worker.assignment.Position;
import org.jspecify.annotations.Nullable;

/// What callers asked for and what handlers did, as nobody inside the engine could know it.
final class History {
    private final Fibers fibers;
    final Trace trace;
    final Map<String, SimCall> calls = new LinkedHashMap<>();
    /// Calls whose record is gone.
    final List<SimCall> lost = new ArrayList<>();
    /// Marks of calls of a topic that was made anew which a worker read at the position that it had in the old one: those
    /// below them come later.
    final Set<String> readOn = new HashSet<>();
    /// Calls in a partition that was added, as long as the fleet does not count it.
    final Set<SimCall> held = new LinkedHashSet<>();
    final Set<String> malformed = new TreeSet<>();
    final List<Start> starts = new ArrayList<>();
    /// Calls in the order in which they finished, by assignment.
    final Map<Assignment, List<Long>> finished = new HashMap<>();
    /// After how many starts a worker promised, giving a partition up, that the call is finished for good.
    final Map<String, Integer> settled = new HashMap<>();
    /// How calls ended that finished later, by [SimCall#mark].
    final Map<String, Completion> outcomes = new HashMap<>();
    /// How each handle of a call ended, by mark and handle: two calls may get the same from their tool.
    final Map<String, Completion> endings = new HashMap<>();
    /// By mark of a call the handles by which it was approved.
    final Map<String, Set<String>> approved = new HashMap<>();
    final Forgotten forgotten = new Forgotten();
    final WrittenCancels cancels = new WrittenCancels();
    /// How many processes each call has killed that owned its partition and were not about to give it up.
    final Map<SimCall, Integer> kills = new LinkedHashMap<>();
    private final Set<Assignment> owning = new HashSet<>();
    final List<String> broken = new ArrayList<>();
    /// How often a revoke did not wait long enough for what had finished.
    int lateRevokes;

    History(Fibers fibers, Trace trace) {
        this.fibers = fibers;
        this.trace = trace;
    }

    record Assignment(String worker, int partition, long epoch) {}

    /// One start of a handler.
    static final class Start {
        final SimCall call;
        final String worker;
        final long epoch;
        final long at;
        /// When it ended; -1 when its process never said.
        long end = -1;
        boolean interrupted;
        /// Whether it ran on when its worker had given the partition up.
        boolean outlived;
        /// Whether its worker was not in the group, at the end or when its process was silent.
        boolean lostMembership;

        Start(SimCall call, String worker, long epoch, long at) {
            this.call = call;
            this.worker = worker;
            this.epoch = epoch;
            this.at = at;
        }

        @Override
        public String toString() {
            return call.key() + " on " + worker + " " + at + ".." + (end < 0 ? "?" : end)
                    + (interrupted ? " interrupted" : "");
        }
    }

    /// @param appendedAt of its record
    void asked(SimCall call, long appendedAt) {
        calls.put(call.key(), call);
        cancels.asked(call, appendedAt);
        add("caller", "asks " + call);
    }

    /// Every call of the partition from `from` to `to` is gone that satisfies the condition. Their offsets may become
    /// those of others.
    void lost(int partition, long from, long to, Predicate<SimCall> condition) {
        List<SimCall> gone = calls.values().stream().filter(call -> call.partition() == partition
                && call.offset() >= from && call.offset() < to && condition.test(call)).toList();
        gone.forEach(call -> {
            calls.remove(call.key());
            settled.remove(call.key());
        });
        lost.addAll(gone);
        if (!gone.isEmpty())
            add("world", "loses " + gone.stream().map(SimCall::key).toList());
    }

    /// Whether a call that is lost lay at the same place.
    boolean isPlaceOfLost(SimCall call) {
        return lost.stream().anyMatch(one -> one.key().equals(call.key()));
    }

    boolean isLost(String identity) {
        return lost.stream().anyMatch(call -> call.identity().equals(identity));
    }

    /// A call by its place and the model's id; also one that is lost.
    @Nullable
    SimCall call(Position position, String id) {
        SimCall call = calls.get(SimCall.key(position.partition(), position.offset()));
        if (call != null && (lost.isEmpty() || call.id().equals(id)))
            return call;
        return lost.reversed().stream().filter(one -> one.partition() == position.partition()
                && one.offset() == position.offset() && one.id().equals(id)).findFirst().orElse(null);
    }

    /// The call that waits; also one that is lost.
    @Nullable
    SimCall call(PendingCall pending) {
        return call(new Position(pending.partition(), 0, pending.callOffset()), pending.call().id());
    }

    /// The call that a result answers; null when it is lost.
    @Nullable
    SimCall call(int partition, ToolResult result) {
        SimCall call = calls.get(SimCall.key(partition, result.callOffset()));
        return call != null && !lost.isEmpty() && !call.id().equals(result.toolCallId()) ? null : call;
    }

    /// A worker that does not know yet that the topic was made anew has read a call.
    void readOn(Position position, String id) {
        SimCall call = calls.get(SimCall.key(position.partition(), position.offset()));
        if (call != null && call.id().equals(id) && readOn.add(call.mark()))
            add("world", "a worker reads on at " + call.key());
    }

    Start started(String worker, Position position, String id, boolean member) {
        SimCall call = call(position, id);
        if (call == null)
            throw new IllegalStateException("nobody asked for " + position);
        Start start = new Start(call, worker, position.epoch(), fibers.now());
        start.lostMembership = !member;
        starts.add(start);
        forgotten.started(start);
        add(worker, "starts " + call.key() + " " + call.instance() + " " + call.kind());
        return start;
    }

    void ended(Start start, boolean member) {
        start.lostMembership |= !member;
        if (start.end < 0)
            start.end = fibers.now();
        add(start.worker, (start.interrupted ? "interrupts " : "ends ") + start.call.key());
    }

    /// A worker interrupts what runs of an assignment; its threads may hear of it later.
    void interrupted(String worker, int partition, long epoch, boolean lost) {
        for (Start start : starts) {
            if (start.end >= 0 || !start.worker.equals(worker) || start.epoch != epoch
                    || start.call.partition() != partition)
                continue;
            start.outlived = !lost && start.call.kind().isJournaled();
            start.lostMembership |= lost;
            if (!start.outlived)
                start.end = fibers.now();
        }
    }

    /// The call's outcome is handed over to be published.
    void finished(String worker, Position position) {
        finished.computeIfAbsent(new Assignment(worker, position.partition(), position.epoch()),
                _ -> new ArrayList<>()).add(position.offset());
    }

    List<Long> finished(Assignment assignment) {
        List<Long> offsets = finished.get(assignment);
        return offsets == null ? List.of() : List.copyOf(offsets);
    }

    long timesFinished(int partition, long offset) {
        return finished.entrySet().stream().filter(entry -> entry.getKey().partition() == partition)
                .flatMap(entry -> entry.getValue().stream()).filter(one -> one == offset).count();
    }

    void settled(int partition, List<Long> offsets) {
        offsets.forEach(offset -> settled.putIfAbsent(SimCall.key(partition, offset), starts.size()));
    }

    /// The work of a call has ended elsewhere.
    void ended(PendingCall call, Completion outcome) {
        outcomes.put(mark(call), outcome);
        endings.put(mark(call) + outcome.handle(), outcome);
        add("topology", outcome.kind().text() + " " + mark(call) + " " + outcome.handle());
    }

    /// A person approved a call.
    void approved(PendingCall call) {
        approved.computeIfAbsent(mark(call), _ -> new TreeSet<>()).add(call.handle());
        add("topology", "approves " + mark(call) + " " + call.handle());
    }

    private static String mark(PendingCall call) {
        return SimCall.mark(call.partition(), call.callOffset(), call.call().id());
    }

    /// @param handle null for any
    boolean isApproved(SimCall call, @Nullable String handle) {
        Set<String> by = approved.getOrDefault(call.mark(), Set.of());
        return handle == null ? !by.isEmpty() : by.contains(handle);
    }

    /// A worker owns a partition, or is about to give it up.
    void owning(Assignment assignment, boolean owns) {
        if (owns) {
            owning.add(assignment);
        } else {
            owning.remove(assignment);
        }
    }

    /// A call kills its process.
    void kills(SimCall call, Assignment under) {
        boolean owns = owning.contains(under);
        if (owns)
            kills.merge(call, 1, Integer::sum);
        add(under.worker(), "dies of " + call.key() + " at " + call.death() + (owns ? "" : ", not its owner any more"));
    }

    void broken(String what) {
        broken.add(what);
        add("!", what);
    }

    void add(String who, String what) {
        trace.add(fibers.now(), who, () -> what);
    }

    @Nullable
    SimCall call(int partition, long offset) {
        return calls.get(SimCall.key(partition, offset));
    }
}
