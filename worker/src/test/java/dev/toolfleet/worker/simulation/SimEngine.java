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

import dev.toolfleet.worker.assignment.Position;
import dev.toolfleet.worker.commit.Offsets;
import dev.toolfleet.worker.commit.Outcome;
import dev.toolfleet.worker.commit.PartitionListener.Hold;
import dev.toolfleet.worker.commit.TransactionLoop;
import dev.toolfleet.worker.execute.RunningHandlers;
import dev.toolfleet.worker.identity.Arrival;
import dev.toolfleet.worker.identity.HandOvers;
import dev.toolfleet.worker.identity.PartitionState;
import dev.toolfleet.worker.identity.PartitionStates;
import dev.toolfleet.worker.lane.Lanes;
import dev.toolfleet.worker.poll.PollLoop;
import dev.toolfleet.worker.poll.TakeOver;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;

import static java.util.Objects.requireNonNull;

/// What the simulated poll loop feeds: the real lanes and transactions. Waits in simulated time where the real thread
/// would block, and notes what a revoke promises.
final class SimEngine implements PollLoop.Engine {
    private static final long REVOKE_MILLIS = 3_000;
    private static final long LAST_WORDS_MILLIS = 2_000;

    private final Fibers fibers;
    private final History history;
    private final String worker;
    private final TransactionLoop transactions;
    private final RunningHandlers handlers;
    private @Nullable Lanes lanes;
    private @Nullable SimResumed resumed;
    private final PartitionStates states;
    private final HandOvers handOvers;
    private final List<Given> giving = new ArrayList<>();
    private final Map<Integer, Set<Hold>> held = new HashMap<>();
    /// Those that were held back at some moment since the last flush began: one that is let go while its flush ends was
    /// not flushed.
    private final Set<Integer> heldLately = new HashSet<>();
    private final boolean forgetful;
    private boolean news;

    /// What was finished of an assignment when its partition was about to be given up.
    private record Given(int partition, long epoch, List<Long> finished) {}

    SimEngine(World world, String worker, TransactionLoop transactions, RunningHandlers handlers,
            PartitionStates states, HandOvers handOvers) {
        this.handOvers = handOvers;
        this.states = states;
        this.fibers = world.fibers;
        this.forgetful = world.plant == Plant.NOT_OWNED;
        this.history = world.history;
        this.worker = worker;
        this.transactions = transactions;
        this.handlers = handlers;
    }

    /// Waits until the transaction loop has news.
    void awaitNews(long millis) {
        fibers.await(() -> news, millis);
        news = false;
    }

    void connect(Lanes with, SimResumed outcomes) {
        lanes = with;
        resumed = outcomes;
    }

    private Lanes lanes() {
        return requireNonNull(lanes);
    }

    private SimResumed resumed() {
        return requireNonNull(resumed);
    }

    CompletableFuture<@Nullable Long> note(Position position, ProducerRecord<byte[], byte[]> record) {
        CompletableFuture<@Nullable Long> noted = transactions.note(position, record);
        news = true;
        return noted;
    }

    void handOver(ProducerRecord<byte[], byte[]> record) {
        transactions.publish(record);
        news = true;
    }

    void progress(ProducerRecord<byte[], byte[]> record) {
        transactions.publishOrDrop(record);
    }

    /// What the transaction loop does when it is closed.
    void lastWords() {
        CompletableFuture<Void> flushed = transactions.flush();
        news = true;
        fibers.await(flushed::isDone, LAST_WORDS_MILLIS);
    }

    void finished(Outcome outcome) {
        if (outcome.position().source() == Position.Source.CALLS)
            history.finished(worker, outcome.position());
        transactions.finished(outcome);
        news = true;
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

    @Override
    public void opened(int partition, long epoch, TakeOver.Restored from) {
        history.add(worker, "opens " + partition + " epoch " + epoch + " at " + from.start() + " and "
                + from.resumed());
        handOvers.opened(partition, from.state().open());
        states.opened(partition, epoch, from.state());
        transactions.opened(partition, epoch, from.start(), from.resumed());
        resumed().opened(partition, epoch, from.resumed());
        news = true;
    }

    @Override
    public void read(int partition, long epoch, long first, long appendedAt) {
        PartitionState state = states.of(partition, epoch);
        if (state != null)
            state.read(first, appendedAt);
    }

    @Override
    public void tracked(int partition, long epoch, Offsets offsets, long next) {
        tracked(Position.Source.CALLS, partition, epoch, offsets, next);
    }

    void tracked(Position.Source source, int partition, long epoch, Offsets offsets, long next) {
        transactions.tracked(source, partition, epoch, offsets, next);
        news = true;
    }

    @Override
    public boolean offer(Arrival arrival) {
        return states.offer(arrival, lanes()::offer);
    }

    @Override
    public void stopStarting(int partition, long epoch) {
        giving.add(new Given(partition, epoch,
                history.finished(new History.Assignment(worker, partition, epoch))));
        lanes().drop(partition, epoch);
    }

    @Override
    public void closed(int partition, long epoch, boolean lost) {
        history.add(worker, "gives up " + partition + " epoch " + epoch);
        lanes().drop(partition, epoch);
        history.interrupted(worker, partition, epoch, lost);
        if (lost) {
            handlers.lose(partition, epoch);
        } else {
            handlers.revoke(partition, epoch);
        }
        held.remove(partition);
        resumed().closed(partition, epoch);
        if (!forgetful)
            transactions.closed(partition, epoch);
        handOvers.closed(partition);
        states.closed(partition, epoch);
        news = true;
    }

    @Override
    public CompletableFuture<Void> silent() {
        news = true;
        return transactions.handled();
    }

    @Override
    public CompletableFuture<Void> committed() {
        heldLately.clear();
        heldLately.addAll(held.keySet());
        CompletableFuture<Void> flushed = transactions.flush();
        news = true;
        List<Given> given = List.copyOf(giving);
        giving.clear();
        if (!fibers.await(flushed::isDone, REVOKE_MILLIS)) {
            history.add(worker, "revoked before all was committed");
            history.lateRevokes++;
            return CompletableFuture.failedFuture(new TimeoutException("simulated"));
        }
        // What a partition holds back for a reason of its own is not settled.
        given.stream().filter(one -> !heldLately.contains(one.partition()))
                .forEach(one -> history.settled(one.partition(), one.finished()));
        return flushed;
    }
}
