package dev.toolfleet.worker.poll;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;

import dev.toolfleet.worker.assignment.Ownership;
import dev.toolfleet.worker.commit.Incarnation;
import dev.toolfleet.worker.commit.Offsets;
import dev.toolfleet.worker.commit.PartitionListener;
import dev.toolfleet.worker.identity.Arrival;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Reads calls. Owns, on its one platform thread, the group's consumer and what is known of each assigned partition;
/// others send it commands. Never blocks on a call: what the lanes refuse is held, and only that partition is paused.
///
/// One turn: give all up when the lease has run out, do what was asked, offer again what was refused, pause or resume,
/// poll, publish what is owned, take in.
public final class PollLoop implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(PollLoop.class);

    private final PollConfig config;
    private final Consumer<byte[], byte[]> consumer;
    private final Engine engine;
    private final Assignments assignments;
    private final Queue<PollCommand> commands = new ConcurrentLinkedQueue<>();
    private final CompletableFuture<Void> ended = new CompletableFuture<>();
    private final Thread thread;
    /// Whether the last poll brought few calls; the thread's own.
    private boolean few;
    /// Whether the loop broke, perhaps by a call that it read; the thread's own.
    private boolean broken;
    private volatile boolean stopping;
    private volatile boolean draining;
    private volatile PartitionCounts counts = PartitionCounts.NONE;
    private volatile @Nullable Throwable failure;

    /// A loop that is started by [#start].
    public PollLoop(PollConfig config, Consumer<byte[], byte[]> consumer, Ownership ownership, Engine engine,
            TakeOvers takeOvers) {
        this.config = config;
        this.consumer = consumer;
        this.engine = engine;
        this.assignments = new Assignments(config, consumer, ownership, engine, takeOvers);
        this.thread = Thread.ofPlatform().name("poll").unstarted(this::run);
    }

    /// What the poll loop feeds: lanes and transactions. Nothing here may block, but for [#committed].
    public interface Engine {
        /// A partition starts.
        void opened(int partition, long epoch, TakeOver.Restored from);

        /// Records from `first` on were read; it was appended at `appendedAt`, in epoch milliseconds.
        void read(int partition, long epoch, long first, long appendedAt);

        /// Calls were read; comes before they are offered.
        void tracked(int partition, long epoch, Offsets offsets, long next);

        /// Takes a call in, or refuses it for now.
        boolean offer(Arrival arrival);

        /// Queued calls of the assignment must not start any more.
        void stopStarting(int partition, long epoch);

        /// The assignment is about to move to another worker; what is finished is committed next.
        void moving(int partition, long epoch);

        /// The assignment ends in order with the next commit. Not told of one that is lost, or ends because the loop broke.
        void ends(int partition, long epoch);

        /// The assignment is over, and what comes of its calls is dropped.
        ///
        /// @param lost without a word: another worker may own the partition already
        void closed(int partition, long epoch, boolean lost);

        /// Done when everything that has finished is committed.
        CompletableFuture<Void> committed();

        /// Done when nothing is published any more of what was closed before.
        CompletableFuture<Void> silent();
    }

    /// Finds out, off the poll thread, where an assigned partition starts.
    public interface TakeOvers {
        /// Begins; the answer comes through [PollLoop#adopt].
        void begin(int partition, long epoch);

        /// The answer is no longer wanted.
        void cancel(int partition, long epoch);
    }

    /// Subscribes and starts the thread.
    public void start() {
        thread.start();
    }

    /// A take-over is complete.
    public void adopt(int partition, long epoch, TakeOver.Restored restored) {
        commands.add(new PollCommand.Adopt(partition, epoch, restored));
    }

    /// The partition is not to be read for a reason, or may be again.
    public void hold(int partition, long epoch, PartitionListener.Hold why, boolean on) {
        commands.add(new PollCommand.Hold(partition, epoch, why, on));
    }

    /// The assignment was read from another log than it was taken over from: gives it up and takes it over anew.
    public void renew(int partition, long epoch) {
        commands.add(new PollCommand.Renew(partition, epoch));
    }

    /// The topics of calls are these logs now: partitions of others are given up and taken over anew.
    public void logs(Incarnation now) {
        commands.add(new PollCommand.Logs(now));
    }

    /// Starts no new call; polling goes on, so that the worker stays in its group while running calls end.
    public void drain() {
        commands.add(new PollCommand.Drain());
    }

    /// Whether no new call starts any more.
    public boolean isDraining() {
        return draining;
    }

    /// Whether the worker is a member of its group and every partition that it owns has started. True for a spare
    /// worker that owns none.
    public boolean allStarted() {
        return counts.allStarted();
    }

    /// How many partitions the worker owns, as of the last turn.
    public PartitionCounts partitions() {
        return counts;
    }

    /// Ends the loop, because nothing can be published any more.
    public void fail(Throwable cause) {
        failure = cause;
        stopping = true;
    }

    /// Done when the loop has ended; exceptionally when it broke.
    public CompletableFuture<Void> ended() {
        return ended;
    }

    private void run() {
        try {
            subscribe();
            while (!stopping)
                rest(turn());
            consumer.close(CloseOptions.timeout(Duration.ofSeconds(5)));
            Throwable failed = failure;
            if (failed != null) {
                ended.completeExceptionally(failed);
            } else {
                ended.complete(null);
            }
        } catch (Throwable e) {
            broken = true;
            LOG.atError().setCause(e).log("poll loop stopped");
            try {
                consumer.close(CloseOptions.timeout(Duration.ZERO));
            } finally {
                ended.completeExceptionally(e);
            }
        }
    }

    void subscribe() {
        consumer.subscribe(List.of(config.topic()), new Rebalances(this));
    }

    private void rest(int calls) {
        if (comeOneByOne(calls))
            LockSupport.parkNanos(config.rest().toNanos());
    }

    /// Whether few calls came, and few before them: of a backlog a poll brings few only when they are the rest of a fetch.
    boolean comeOneByOne(int calls) {
        boolean before = few;
        few = calls > 0 && calls < PollConfig.MANY;
        return before && few;
    }

    /// Does what was asked for and polls once.
    ///
    /// @return how many calls came
    int turn() {
        assignments.fenceSelf();
        obey();
        assignments.beginRenewed();
        boolean refused = !draining && assignments.offerHeld();
        assignments.pauseAndResume(draining);
        ConsumerRecords<byte[], byte[]> records = poll(refused ? config.busy() : config.idle());
        assignments.publish();
        counts = assignments.counts();
        assignments.takeIn(records, draining);
        return records.count();
    }

    private ConsumerRecords<byte[], byte[]> poll(Duration atMost) {
        try {
            return consumer.poll(atMost);
        } catch (KafkaException e) {
            return assignments.holdUnreadable(e);
        }
    }

    private void obey() {
        for (PollCommand command = commands.poll(); command != null; command = commands.poll()) {
            switch (command) {
                case PollCommand.Adopt adopt -> assignments.adopt(adopt, draining);
                case PollCommand.Hold hold -> assignments.hold(hold);
                case PollCommand.Renew(int partition, long epoch) -> assignments.renew(partition, epoch);
                case PollCommand.Logs(var now) -> assignments.renewAllBut(now);
                case PollCommand.Drain() -> {
                    assignments.stopStarting();
                    draining = true;
                }
            }
        }
    }

    void assigned(Collection<TopicPartition> partitions) {
        assignments.begin(partitions);
    }

    void revoked(Collection<TopicPartition> partitions) {
        assignments.publish();
        if (assignments.isFenced()) {
            lost(partitions);
            return;
        }
        assignments.moving(partitions);
        if (!broken)
            assignments.ends(partitions);
        RevokeWait.until(engine.committed(), config.revokeTimeout());
        assignments.giveUp(partitions, false);
    }

    void lost(Collection<TopicPartition> partitions) {
        assignments.giveUp(partitions, true);
    }

    /// Leaves the group and ends the thread; drain and commit first.
    @Override
    public void close() {
        stopping = true;
        try {
            thread.join(15_000);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
