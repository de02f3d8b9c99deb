package dev.toolfleet.worker.lane;

import java.util.ArrayList;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadFactory;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.stream.Stream;

import dev.toolfleet.worker.assignment.Load;
import dev.toolfleet.worker.assignment.Ownership;
import dev.toolfleet.worker.assignment.PartitionLoads;
import dev.toolfleet.worker.assignment.Position.Source;
import dev.toolfleet.worker.identity.Arrival;

/// All lanes of a worker.
///
/// **Contract.** Calls of one instance start in offset order. Different instances run side by side on virtual threads.
/// A lane exists only while it holds a call. Keeps G2 of `docs/guarantees.md`.
///
/// **Threads.** The poll thread offers calls and drops, the resumed loop's thread offers approved calls, call threads
/// release. Each lane changes only inside an atomic operation of the map. Loads are counters of their own: [#offer]
/// counts a call, the slot's one release or drop subtracts it.
public final class Lanes {
    private static final ThreadFactory THREADS = Thread.ofVirtual().name("call").factory();

    private record Key(int partition, long epoch, String instanceKey) {}

    private final LaneLimits limits;
    private final Ownership ownership;
    private final Predicate<Arrival> readOnly;
    private final CallRunner runner;
    private final Executor threads;
    private final LongSupplier nanos;
    private final Map<Key, Lane> lanes = new ConcurrentHashMap<>();
    private final PartitionLoads loads = new PartitionLoads();
    private final PartitionLoads uncommitted;
    /// The newest assignment of each partition that starts no call any more: epochs grow.
    private final Map<Integer, Long> dropped = new ConcurrentHashMap<>();
    /// The newest call of `tool.call` that was offered, by partition.
    private final Map<Integer, Reached> reached = new ConcurrentHashMap<>();

    private final LaneSlot.Owner slots = new LaneSlot.Owner() {
        @Override
        public void ended(LaneSlot slot) {
            Lanes.this.ended(slot);
        }

        @Override
        public void passed(LaneSlot slot) {
            goesOn(slot, lane -> lane.pass(slot, nanos.getAsLong())).forEach(Lanes.this::start);
        }
    };

    private record Reached(long epoch, long offset) {}

    /// Creates lanes for calls whose results are not committed. They start only calls that `ownership` holds.
    ///
    /// @param readOnly true if a call may run beside its neighbours
    public Lanes(LaneLimits limits, Ownership ownership, Predicate<Arrival> readOnly, CallRunner runner) {
        this(limits, new PartitionLoads(), ownership, readOnly, runner);
    }

    /// Creates lanes that start only calls that `ownership` holds.
    ///
    /// @param uncommitted calls that have left their lane, and count as in flight until their results are committed
    public Lanes(LaneLimits limits, PartitionLoads uncommitted, Ownership ownership, Predicate<Arrival> readOnly,
            CallRunner runner) {
        this(limits, uncommitted, ownership, readOnly, runner, call -> THREADS.newThread(call).start());
    }

    /// @param threads starts a call on a thread of its own
    public Lanes(LaneLimits limits, PartitionLoads uncommitted, Ownership ownership, Predicate<Arrival> readOnly,
            CallRunner runner, Executor threads) {
        this(limits, uncommitted, ownership, readOnly, runner, threads, System::nanoTime);
    }

    Lanes(LaneLimits limits, PartitionLoads uncommitted, Ownership ownership, Predicate<Arrival> readOnly,
            CallRunner runner, Executor threads, LongSupplier nanos) {
        this.nanos = nanos;
        this.uncommitted = uncommitted;
        this.limits = limits;
        this.ownership = ownership;
        this.readOnly = readOnly;
        this.runner = runner;
        this.threads = threads;
    }

    /// Runs one call to its end and releases its slot. Called on a virtual thread of the call's own; must not throw.
    @FunctionalInterface
    public interface CallRunner {
        /// Runs the call.
        void run(LaneSlot slot);
    }

    /// Takes a call in, or refuses it while its lane, its partition's share or the worker is full. A refused call must
    /// be offered again, before any later one of its partition.
    public boolean offer(Arrival arrival) {
        int partition = arrival.position().partition();
        long epoch = arrival.position().epoch();
        if (!admits(partition, epoch, arrival.position().source()))
            return false;
        boolean besides = readOnly.test(arrival);
        if (arrival.position().source() == Source.CALLS)
            reached.merge(partition, new Reached(epoch, arrival.position().offset()), Lanes::later);
        List<LaneSlot> start = new ArrayList<>(1);
        boolean[] taken = new boolean[1];
        lanes.compute(key(arrival), (key, found) -> {
            Lane lane = found == null ? new Lane(nanos.getAsLong()) : found;
            if (lane.waiting() < limits.maxQueued()) {
                taken[0] = true;
                // Counted before it can start, and so before it can be released.
                loads.add(arrival.position(), arrival.bytes());
                lane.add(new LaneSlot(slots, arrival, besides, order(arrival)));
                startable(key, lane, start);
            }
            return lane.isEmpty() ? null : lane;
        });
        start.forEach(this::start);
        return taken[0];
    }

    private static Reached later(Reached one, Reached other) {
        boolean first = one.epoch() != other.epoch() ? one.epoch() > other.epoch() : one.offset() > other.offset();
        return first ? one : other;
    }

    /// Returns the order of a call in its lane. An approved call comes after all calls of its instance that are ahead
    /// in its lane or have ended, and before later ones. The former have offsets up to the newest offered one, the
    /// latter beyond it. Called while its lane stands still.
    private long order(Arrival arrival) {
        long own = arrival instanceof Arrival.Granted(var _, var call, var _, var _)
                ? call.position().offset()
                : arrival.position().offset();
        if (arrival.position().source() == Source.CALLS)
            return own;
        Reached now = reached.get(arrival.position().partition());
        return now == null || now.epoch() != arrival.position().epoch() ? own : Math.max(own, now.offset());
    }

    /// Drops the queued calls of an assignment that ends, and refuses its calls from now on. Running calls end by
    /// themselves.
    public void drop(int partition, long epoch) {
        dropped.merge(partition, epoch, Math::max);
        for (Key key : lanes.keySet()) {
            if (key.partition() != partition || key.epoch() != epoch)
                continue;
            lanes.computeIfPresent(key, (_, lane) -> {
                forgetQueued(lane);
                return lane.isEmpty() ? null : lane;
            });
        }
    }

    private void forgetQueued(Lane lane) {
        for (LaneSlot slot = lane.drop(); slot != null; slot = lane.drop())
            loads.remove(slot.arrival().position(), slot.arrival().bytes());
    }

    /// Number of calls queued or running.
    public int inFlight() {
        return loads.all().calls();
    }

    /// Number of calls of one assignment that are queued or running.
    public int inFlight(int partition, long epoch) {
        return loads.of(partition, epoch).calls();
    }

    /// Number of instances that have a call queued or running.
    public int active() {
        return lanes.size();
    }

    /// Returns the contents of all lanes at this moment. It visits each lane, so it is too slow for every call.
    public LaneSnapshot look() {
        LaneSnapshot.Builder look = new LaneSnapshot.Builder(nanos.getAsLong());
        for (Key each : lanes.keySet()) {
            lanes.computeIfPresent(each, (key, lane) -> {
                look.add(key.partition(), lane.running(), lane.waiting(), lane.movedAt());
                return lane;
            });
        }
        return look.build();
    }

    /// Returns the numbers of the calls in all lanes. It visits each lane, so it is too slow for every call.
    public Totals totals() {
        int[] busy = new int[1];
        int[] queued = new int[1];
        LongSummaryStatistics times = new LongSummaryStatistics();
        for (Key each : lanes.keySet()) {
            lanes.computeIfPresent(each, (_, lane) -> {
                busy[0] += lane.busy().size();
                queued[0] += lane.waiting();
                Stream.concat(lane.busy().stream(), lane.queued(1).stream()).mapToLong(slot -> slot.arrival().at())
                        .filter(at -> at > 0).forEach(times);
                return lane;
            });
        }
        return new Totals(busy[0], queued[0],
                times.getCount() == 0 ? OptionalLong.empty() : OptionalLong.of(times.getMin()));
    }

    /// Numbers of calls in all lanes.
    ///
    /// @param running calls that run, those that their lane has gone on past included
    /// @param queued calls behind them
    /// @param oldest the time at which the oldest of them was appended, in epoch milliseconds; empty without calls
    public record Totals(int running, int queued, OptionalLong oldest) {}

    /// Returns the reason why calls of a partition are refused.
    public LaneSnapshot.Full whyFull(int partition, long epoch, LaneSnapshot.Load load) {
        if (load.longest() >= limits.maxQueued())
            return LaneSnapshot.Full.LANE_FULL;
        return admits(partition, epoch, Source.CALLS) ? LaneSnapshot.Full.EARLIER_OWNER : LaneSnapshot.Full.WORKER_FULL;
    }

    /// True if the limits allow one more call. Approved calls bypass the limit on uncommitted results. Otherwise:
    /// results wait for a call, that call waits for its tool's slot, and an approved call holds the slot.
    private boolean admits(int partition, long epoch, Source source) {
        Load own = loads.of(partition, epoch);
        Load all = loads.all();
        if (source == Source.CALLS) {
            own = own.plus(uncommitted.of(partition, epoch));
            all = all.plus(uncommitted.all());
        }
        return limits.admits(ownership.current().epochs().size(), own, all);
    }

    private void ended(LaneSlot slot) {
        List<LaneSlot> start = goesOn(slot, lane -> lane.ended(slot, nanos.getAsLong()));
        loads.remove(slot.arrival().position(), slot.arrival().bytes());
        start.forEach(this::start);
    }

    /// Changes a lane whose slot no longer holds it, and returns the slots that may start now.
    private List<LaneSlot> goesOn(LaneSlot slot, Consumer<Lane> change) {
        List<LaneSlot> start = new ArrayList<>(1);
        lanes.computeIfPresent(key(slot.arrival()), (key, lane) -> {
            change.accept(lane);
            startable(key, lane, start);
            return lane.isEmpty() ? null : lane;
        });
        return start;
    }

    /// Returns the present lanes of an instance, one for each assignment; for people, because each is copied while it
    /// stands still.
    ///
    /// @param mostQueued the most slots of a lane's queue
    public List<LaneView> of(String instanceKey, int mostQueued) {
        List<LaneView> found = new ArrayList<>();
        for (Key key : lanes.keySet()) {
            if (key.instanceKey().equals(instanceKey))
                lanes.computeIfPresent(key, (_, lane) -> {
                    found.add(new LaneView(key.partition(), lane.busy(), lane.queued(mostQueued),
                            lane.waiting()));
                    return lane;
                });
        }
        return found;
    }

    /// One lane at one moment.
    ///
    /// @param busy the calls that run: those that hold the lane, and those that the lane has gone on past
    /// @param queued the first waiting calls
    /// @param waiting the number of waiting calls
    public record LaneView(int partition, List<LaneSlot> busy, List<LaneSlot> queued, int waiting) {}

    /// Adds the slots that may start now. If the assignment is no longer owned, drops all: its next owner runs the
    /// queued calls.
    private void startable(Key key, Lane lane, List<LaneSlot> start) {
        if (key.epoch() > dropped.getOrDefault(key.partition(), Long.MIN_VALUE)
                && ownership.current().owns(key.partition(), key.epoch())) {
            lane.startable(start::add, nanos.getAsLong());
        } else {
            forgetQueued(lane);
        }
    }

    private void start(LaneSlot slot) {
        threads.execute(() -> runner.run(slot));
    }

    private static Key key(Arrival arrival) {
        return new Key(arrival.position().partition(), arrival.position().epoch(), arrival.instanceKey());
    }
}
