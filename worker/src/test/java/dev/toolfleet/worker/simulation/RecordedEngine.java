package dev.toolfleet.worker.simulation;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;

import dev.toolfleet.topic.Topic;
import dev.toolfleet.worker.commit.PartitionListener.Hold;
import dev.toolfleet.worker.identity.Arrival;
import dev.toolfleet.worker.poll.PollListener;
import dev.toolfleet.worker.poll.TakeOver;

/// The worker's engine with a record of what each revoke promises. Waits for commits in simulated time, where the poll
/// thread would block.
final class RecordedEngine extends ForwardingEngine {
    private static final long REVOKE_MILLIS = 3_000;

    private final Fibers fibers;
    private final History history;
    private final SimCluster cluster;
    /// The log of calls that each partition's assignment was taken over from.
    private final Map<Integer, String> logs = new HashMap<>();
    private final String worker;
    private final List<Given> giving = new ArrayList<>();
    private final Map<Integer, Set<Hold>> held = new HashMap<>();
    /// Those that were held back at some moment since the last flush began: one that is let go while its flush ends was
    /// not flushed.
    private final Set<Integer> heldLately = new HashSet<>();

    /// The calls of an assignment that had finished when its partition was about to be given up.
    private record Given(int partition, long epoch, List<Long> finished) {}

    private boolean nameLost;

    RecordedEngine(World world, String worker, PollListener engine) {
        super(engine);
        this.fibers = world.fibers;
        this.history = world.history;
        this.cluster = world.cluster;
        this.worker = worker;
    }

    /// The transaction loop holds a partition back, or no longer.
    void held(int partition, Hold why, boolean on) {
        Set<Hold> holds = held.computeIfAbsent(partition, _ -> EnumSet.noneOf(Hold.class));
        if (on) {
            holds.add(why);
            heldLately.add(partition);
        } else {
            holds.remove(why);
        }
        if (holds.isEmpty())
            held.remove(partition);
    }

    /// Another process has taken the worker's name, and with it the transactional ids: what had finished may be refused.
    void lostName() {
        nameLost = true;
    }

    @Override
    public void opened(int partition, long epoch, TakeOver.Restored from) {
        history.add(worker, "opens " + partition + " epoch " + epoch + " at " + from.start() + " and "
                + from.resumed());
        history.forgotten.opened(new History.Assignment(worker, partition, epoch),
                cluster.log(Topic.CALL, partition).end(), from.from().stored());
        if (partition >= cluster.partitions)
            history.broken("growth: " + worker + " takes partition " + partition + " over, which was added");
        if (from.log() != null)
            logs.put(partition, from.log().calls());
        history.owning(new History.Assignment(worker, partition, epoch), true);
        super.opened(partition, epoch, from);
    }

    @Override
    public boolean offer(Arrival arrival) {
        int partition = arrival.position().partition();
        if (arrival instanceof Arrival.Call call
                && !cluster.log(Topic.CALL, partition).id().equals(logs.get(partition)))
            history.readOn(call.position(), call.call().id());
        return super.offer(arrival);
    }

    @Override
    public void stopStarting(int partition, long epoch) {
        giving.add(new Given(partition, epoch,
                history.finished(new History.Assignment(worker, partition, epoch))));
        super.stopStarting(partition, epoch);
    }

    @Override
    public void ends(int partition, long epoch) {
        history.owning(new History.Assignment(worker, partition, epoch), false);
        super.ends(partition, epoch);
    }

    @Override
    public void closed(int partition, long epoch, boolean lost) {
        history.owning(new History.Assignment(worker, partition, epoch), false);
        history.add(worker, "gives up " + partition + " epoch " + epoch);
        history.interrupted(worker, partition, epoch, lost);
        // No flush can have committed it.
        if (held.remove(partition) != null)
            giving.removeIf(one -> one.partition() == partition && one.epoch() == epoch);
        super.closed(partition, epoch, lost);
    }

    @Override
    public CompletableFuture<Void> committed() {
        heldLately.clear();
        heldLately.addAll(held.keySet());
        CompletableFuture<Void> flushed = super.committed();
        List<Given> given = List.copyOf(giving);
        giving.clear();
        if (!fibers.await(flushed::isDone, REVOKE_MILLIS)) {
            history.add(worker, "revoked before all was committed");
            history.lateRevokes++;
            return CompletableFuture.failedFuture(new TimeoutException("simulated"));
        }
        if (nameLost)
            return flushed;
        // A partition that was held back for a reason of its own is not settled.
        given.stream().filter(one -> !heldLately.contains(one.partition()))
                .forEach(one -> history.settled(one.partition(), one.finished()));
        return flushed;
    }
}
