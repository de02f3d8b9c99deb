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
import dev.toolfleet.worker.commit.PartitionListener;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Loop that reads calls.
///
/// **Contract.** The loop never waits for a call: it holds the calls that the lanes refuse, and pauses only their
/// partition. One turn: give all partitions up if the lease has run out, execute commands, offer refused calls again,
/// pause or resume, poll, publish the ownership snapshot, take the new calls in.
///
/// **Threads.** One platform thread owns the group's consumer and the state of each assigned partition. Other threads
/// send it commands.
public final class PollLoop implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(PollLoop.class);

    private final PollConfig config;
    private final Consumer<byte[], byte[]> consumer;
    private final PollListener listener;
    private final Assignments assignments;
    private final Queue<PollCommand> commands = new ConcurrentLinkedQueue<>();
    private final CompletableFuture<Void> ended = new CompletableFuture<>();
    private final Thread thread;
    /// True if the last poll brought few calls; owned by the poll thread.
    private boolean few;
    /// True if the loop broke, perhaps by a call that it read; owned by the poll thread.
    private boolean broken;
    private volatile boolean stopping;
    private volatile boolean draining;
    private volatile OwnershipCounts counts = OwnershipCounts.NONE;
    private volatile @Nullable Throwable failure;

    /// Creates a loop; [#start] starts it.
    public PollLoop(PollConfig config, Consumer<byte[], byte[]> consumer, Ownership ownership, PollListener listener,
            TakeOvers takeOvers) {
        this.config = config;
        this.consumer = consumer;
        this.listener = listener;
        this.assignments = new Assignments(config, consumer, ownership, listener, takeOvers);
        this.thread = Thread.ofPlatform().name("poll").unstarted(this::run);
    }

    /// Subscribes and starts the thread.
    public void start() {
        thread.start();
    }

    /// Starts a partition whose take-over is complete.
    public void adopt(int partition, long epoch, TakeOver.Restored restored) {
        commands.add(new PollCommand.Adopt(partition, epoch, restored));
    }

    /// Holds a partition for a reason, or releases it.
    public void hold(int partition, long epoch, PartitionListener.Hold why, boolean on) {
        commands.add(new PollCommand.Hold(partition, epoch, why, on));
    }

    /// Gives an assignment up and takes it over anew, because it was taken over from another log than it reads.
    public void renew(int partition, long epoch) {
        commands.add(new PollCommand.Renew(partition, epoch));
    }

    /// Reports the present logs of the topics of calls. The loop gives partitions of other logs up and takes them over
    /// anew.
    public void logs(Incarnation now) {
        commands.add(new PollCommand.Logs(now));
    }

    /// Stops new calls from starting. The loop still polls, so that the worker stays in its group while running calls
    /// end.
    public void drain() {
        commands.add(new PollCommand.Drain());
    }

    /// True if no new call starts any more.
    public boolean isDraining() {
        return draining;
    }

    /// True if the worker is a member of its group and every partition that it owns has started. True for a spare
    /// worker that owns none.
    public boolean allStarted() {
        return counts.allStarted();
    }

    /// Returns the counts of the owned partitions as of the last turn.
    public OwnershipCounts partitions() {
        return counts;
    }

    /// Ends the loop with an error, because no result can be published any more.
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
        consumer.subscribe(List.of(config.topic()), new Rebalances());
    }

    private void rest(int calls) {
        if (comeOneByOne(calls))
            LockSupport.parkNanos(config.rest().toNanos());
    }

    /// True if this poll and the one before brought few calls each. During a backlog a poll brings few calls only at
    /// the end of a fetch.
    boolean comeOneByOne(int calls) {
        boolean before = few;
        few = calls > 0 && calls < PollConfig.MANY;
        return before && few;
    }

    /// Executes the commands and polls once.
    ///
    /// @return the number of calls read
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
        RevokeWait.until(listener.committed(), config.revokeTimeout());
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

    /// Passes the group's changes on, on the poll thread, inside poll.
    private final class Rebalances implements ConsumerRebalanceListener {
        @Override
        public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
            assigned(partitions);
        }

        @Override
        public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
            revoked(partitions);
        }

        @Override
        public void onPartitionsLost(Collection<TopicPartition> partitions) {
            lost(partitions);
        }
    }
}
