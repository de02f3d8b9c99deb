package dev.toolfleet.worker.state;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;

import dev.toolfleet.worker.telemetry.LogKeys;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import static java.util.Objects.requireNonNull;

/// Reader of state topics: each followed partition from its beginning, or from a time, to its end and then on.
///
/// **Contract.** A partition that does not answer, because it has no leader or does not exist, delays only those that
/// wait for exactly this partition. Records of the others are applied, and their waiters answered, as if it did not
/// exist.
///
/// **Threads.** One platform thread owns a consumer whose partitions are assigned by hand. Other threads send it
/// commands. The thread never waits for a broker except in its poll. [PartitionOffsets] looks ends and times up, and
/// each answer comes back as a command. Positions are read only where the consumer has one. The thread owns views and
/// waiters; a view must not wait either. [#standsStill] shows it if one does. The interleavings of commands and answers
/// are in [FollowedPartitions] and [CatchUpWaiters].
public final class StateFollower implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(StateFollower.class);
    private static final Duration IDLE = Duration.ofMillis(200);
    private static final long BACKOFF_MILLIS = 200;

    private final org.apache.kafka.clients.consumer.Consumer<byte[], byte[]> consumer;
    private final PartitionOffsets offsets;
    private final LongSupplier nanos;
    private final Consumer<Throwable> failed;
    private final FollowedPartitions partitions;
    private final CatchUpWaiters catchUps = new CatchUpWaiters();
    private final Queue<FollowerCommand> commands = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean woken = new AtomicBoolean();
    private final Thread thread = Thread.ofPlatform().name("state").unstarted(this::run);
    private final AtomicLong read = new AtomicLong();
    private volatile boolean stopping;
    private volatile boolean running;
    private volatile long turned;

    /// Creates a follower; [#start] starts it.
    ///
    /// @param consumer needs no group and reads committed
    /// @param nanos the time, as [System#nanoTime()] has it
    /// @param failed called on the follower's thread if it cannot go on
    public StateFollower(org.apache.kafka.clients.consumer.Consumer<byte[], byte[]> consumer, PartitionOffsets offsets,
            LongSupplier nanos, Consumer<Throwable> failed) {
        this.consumer = consumer;
        this.partitions = new FollowedPartitions(consumer);
        this.offsets = offsets;
        this.nanos = nanos;
        this.failed = failed;
    }

    /// Starts the thread.
    public void start() {
        thread.start();
    }

    /// Follows a partition from its beginning.
    ///
    /// @return completes once everything that was committed at this call is applied
    public CompletableFuture<Void> follow(TopicPartition partition, TopicView view) {
        return followSince(partition, view, -1);
    }

    /// Follows a partition from the first record whose time (epoch milliseconds) is not before `since`.
    public CompletableFuture<Void> followSince(TopicPartition partition, TopicView view, long since) {
        CompletableFuture<Void> caughtUp = new CompletableFuture<>();
        send(new FollowerCommand.Follow(partition, view, since, caughtUp));
        return caughtUp;
    }

    /// Stops following a partition; its view forgets it.
    public void unfollow(TopicPartition partition) {
        send(new FollowerCommand.Unfollow(partition));
    }

    /// Completes once everything that was committed at this call is applied; fails if the partition is not followed.
    /// Does not complete while the partition does not answer: cancel it to wait no longer.
    public CompletableFuture<Void> catchUp(TopicPartition partition) {
        CompletableFuture<Void> caughtUp = new CompletableFuture<>();
        send(new FollowerCommand.CatchUp(partition, caughtUp));
        return caughtUp;
    }

    /// Completes once everything that is committed before `end` is applied, including transactions that are open there
    /// now; fails if the partition is not followed.
    public CompletableFuture<Void> readUpTo(TopicPartition partition, long end) {
        CompletableFuture<Void> caughtUp = new CompletableFuture<>();
        send(new FollowerCommand.ReadUpTo(partition, end, caughtUp));
        return caughtUp;
    }

    /// Number of records read so far; shows waiters that there is progress.
    public long read() {
        return read.get();
    }

    /// Returns the age of the thread's last turn; zero while it does not run. More than a poll means that a view waits.
    public Duration standsStill() {
        long last = turned;
        return running ? Duration.ofNanos(Math.max(0, nanos.getAsLong() - last)) : Duration.ZERO;
    }

    private void send(FollowerCommand command) {
        commands.add(command);
        // One wake-up for all waiting commands. Otherwise: each interrupts the follower's work.
        if (woken.compareAndSet(false, true))
            consumer.wakeup();
    }

    private void run() {
        Throwable cause = new IllegalStateException("the worker stops");
        try {
            while (!stopping)
                turn();
        } catch (InterruptedException e) {
            cause = e;
        } catch (Throwable e) {
            cause = e;
            LOG.atError().setCause(e).log("state follower stopped");
            failed.accept(e);
        } finally {
            running = false;
            end(cause);
        }
    }

    private void turn() throws InterruptedException {
        turned = nanos.getAsLong();
        running = true;
        try {
            obey();
            lookUp();
            if (partitions.areRead()) {
                // Records are read in each pass, even while one command follows the other.
                for (ConsumerRecord<byte[], byte[]> record : poll()) {
                    read.incrementAndGet();
                    partitions.apply(record);
                }
            } else {
                Thread.sleep(IDLE.toMillis() / 20);
            }
            catchUps.answer(partitions::position);
        } catch (WakeupException e) {
            // The follower ends.
        } catch (KafkaException e) {
            LOG.atWarn().addKeyValue(LogKeys.REASON, e.toString()).log("state topics could not be read, trying again");
            Thread.sleep(BACKOFF_MILLIS);
        }
    }

    private void end(Throwable cause) {
        consumer.close();
        for (FollowerCommand command = commands.poll(); command != null; command = commands.poll()) {
            switch (command) {
                case FollowerCommand.Follow follow -> follow.caughtUp().completeExceptionally(cause);
                case FollowerCommand.CatchUp catchUp -> catchUp.caughtUp().completeExceptionally(cause);
                case FollowerCommand.ReadUpTo upTo -> upTo.caughtUp().completeExceptionally(cause);
                case FollowerCommand.Unfollow _,FollowerCommand.Begin _,FollowerCommand.End _ -> {
                }
            }
        }
        catchUps.fail(cause);
    }

    /// Executes the commands. Those that are sent meanwhile wait for the next pass, after a poll.
    private void obey() {
        woken.set(false);
        for (int left = commands.size(); left > 0; left--) {
            FollowerCommand command = requireNonNull(commands.poll());
            switch (command) {
                case FollowerCommand.Follow follow -> {
                    catchUps.toItsEnd(follow.partition(), follow.caughtUp());
                    begin(follow);
                }
                case FollowerCommand.Unfollow(var partition) -> {
                    partitions.remove(partition);
                    catchUps.giveUp(partition);
                }
                case FollowerCommand.CatchUp(var partition, var caughtUp) -> catchUps.toItsEnd(partition, caughtUp);
                case FollowerCommand.ReadUpTo(var partition, long end, var caughtUp) -> {
                    if (partitions.has(partition)) {
                        catchUps.upTo(partition, end, caughtUp);
                    } else {
                        caughtUp.completeExceptionally(CatchUpWaiters.notFollowed(partition));
                    }
                }
                case FollowerCommand.Begin(var which, long since, var answer) -> begun(which, since, answer.offset());
                case FollowerCommand.End(var lookup, var answer) -> catchUps.end(lookup, answer.offset());
            }
        }
    }

    private void begin(FollowerCommand.Follow command) {
        FollowedPartitions.Followed begins = partitions.add(command.partition(), command.view());
        if (begins == null)
            return;
        if (command.since() < 0) {
            partitions.beginAtTheBeginning(begins);
        } else {
            askForFirst(begins, command.since());
        }
    }

    private void askForFirst(FollowedPartitions.Followed which, long since) {
        answered(offsets.firstSince(which.partition(), since),
                answer -> new FollowerCommand.Begin(which, since, answer));
    }

    private void begun(FollowedPartitions.Followed which, long since, @Nullable Long first) {
        if (!partitions.has(which))
            return;
        if (first == null) {
            askForFirst(which, since);
        } else {
            partitions.begin(which, first);
        }
    }

    private void lookUp() {
        List<CatchUpWaiters.Lookup> due = catchUps.lookUp(partitions.all());
        if (due.isEmpty())
            return;
        Map<TopicPartition, CompletableFuture<Long>> ends = offsets
                .committedEnds(due.stream().map(CatchUpWaiters.Lookup::partition).collect(Collectors.toSet()));
        due.forEach(lookup -> answered(requireNonNull(ends.get(lookup.partition())),
                answer -> new FollowerCommand.End(lookup, answer)));
    }

    /// Brings an answer back as a command. A failure comes back later, and the lookup is repeated then.
    private void answered(CompletableFuture<Long> question, Function<FollowerCommand.Answer, FollowerCommand> command) {
        var _ = question.whenComplete((offset, failure) -> {
            if (failure == null) {
                send(command.apply(new FollowerCommand.Answer(offset)));
            } else {
                LOG.atWarn().addKeyValue(LogKeys.REASON, failure.toString())
                        .log("offset of a state topic could not be looked up, trying again");
                CompletableFuture.delayedExecutor(BACKOFF_MILLIS, TimeUnit.MILLISECONDS)
                        .execute(() -> send(command.apply(new FollowerCommand.Answer(null))));
            }
        });
    }

    private ConsumerRecords<byte[], byte[]> poll() {
        while (true) {
            try {
                return consumer.poll(commands.isEmpty() ? IDLE : Duration.ZERO);
            } catch (WakeupException e) {
                // At most one wake-up for each pass, and this pass has received it.
                if (stopping)
                    throw e;
            }
        }
    }

    /// Ends the thread and closes the consumer.
    @Override
    public void close() {
        stopping = true;
        consumer.wakeup();
        try {
            thread.join(5_000);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
