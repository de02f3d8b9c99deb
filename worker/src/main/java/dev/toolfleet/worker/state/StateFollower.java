package dev.toolfleet.worker.state;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Supplier;

import dev.toolfleet.error.Unquoted;
import dev.toolfleet.worker.telemetry.LogKeys;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndTimestamp;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import static java.util.Objects.requireNonNull;

/// Reads state topics from their beginning to their end, then follows them. Owns, on its one platform thread, a
/// consumer whose partitions are assigned by hand; others send it commands.
public final class StateFollower implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(StateFollower.class);
    private static final Duration IDLE = Duration.ofMillis(200);
    private static final long BACKOFF_MILLIS = 200;

    private sealed interface Command {
        record Follow(TopicPartition partition, TopicView view, long since, CompletableFuture<Void> caughtUp)
                implements
                    Command {}

        record Unfollow(TopicPartition partition) implements Command {}

        record CatchUp(TopicPartition partition, CompletableFuture<Void> caughtUp) implements Command {}

        record ReadUpTo(TopicPartition partition, long end, CompletableFuture<Void> caughtUp) implements Command {}

        record Run(Runnable work) implements Command {}
    }

    private final org.apache.kafka.clients.consumer.Consumer<byte[], byte[]> consumer;
    private final Map<TopicPartition, TopicView> views = new HashMap<>();
    private final Consumer<Throwable> failed;
    /// From when on partitions are to be read that are not yet positioned.
    private final Map<TopicPartition, Long> unpositioned = new HashMap<>();
    private final CatchUps catchUps = new CatchUps();
    private final Queue<Command> commands = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean woken = new AtomicBoolean();
    private final Thread thread = Thread.ofPlatform().name("state").unstarted(this::run);
    private volatile boolean stopping;
    private final AtomicLong read = new AtomicLong();

    /// A follower that is started by [#start].
    ///
    /// @param consumer needs no group and reads committed
    /// @param failed told, on the follower's thread, when it cannot go on
    public StateFollower(org.apache.kafka.clients.consumer.Consumer<byte[], byte[]> consumer,
            Consumer<Throwable> failed) {
        this.consumer = consumer;
        this.failed = failed;
    }

    /// Starts the thread.
    public void start() {
        thread.start();
    }

    /// Follows a partition from its beginning.
    ///
    /// @return done when everything was applied that had been committed when this was asked
    public CompletableFuture<Void> follow(TopicPartition partition, TopicView view) {
        return followSince(partition, view, -1);
    }

    /// The same from the first record on whose time (epoch milliseconds) is not before `since`.
    public CompletableFuture<Void> followSince(TopicPartition partition, TopicView view, long since) {
        CompletableFuture<Void> caughtUp = new CompletableFuture<>();
        send(new Command.Follow(partition, view, since, caughtUp));
        return caughtUp;
    }

    /// Stops following a partition; its view forgets it.
    public void unfollow(TopicPartition partition) {
        send(new Command.Unfollow(partition));
    }

    /// Done when everything was applied that had been committed when this was asked; fails when the partition is not
    /// followed.
    public CompletableFuture<Void> catchUp(TopicPartition partition) {
        CompletableFuture<Void> caughtUp = new CompletableFuture<>();
        send(new Command.CatchUp(partition, caughtUp));
        return caughtUp;
    }

    /// Done when everything was applied that is committed before `end`, and what is open there now is decided; fails
    /// when the partition is not followed.
    public CompletableFuture<Void> readUpTo(TopicPartition partition, long end) {
        CompletableFuture<Void> caughtUp = new CompletableFuture<>();
        send(new Command.ReadUpTo(partition, end, caughtUp));
        return caughtUp;
    }

    /// Lets something be done between two records, on the thread that applies them. Whatever it throws is logged.
    public void run(Runnable work) {
        send(new Command.Run(work));
    }

    private void send(Command command) {
        commands.add(command);
        // One wake-up for all that is waiting: each would otherwise throw the follower out of what it does.
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
            end(cause);
        }
    }

    private void turn() throws InterruptedException {
        try {
            obey();
            position();
            catchUps.ask(views.keySet(), partitions -> heard(() -> consumer.endOffsets(partitions)));
            if (views.isEmpty()) {
                Thread.sleep(IDLE.toMillis() / 20);
            } else {
                // Records are read in each pass, also while one command follows the other.
                heard(() -> consumer.poll(commands.isEmpty() ? IDLE : Duration.ZERO)).forEach(this::apply);
            }
            catchUps.answer(consumer::position);
        } catch (WakeupException e) {
            // A command waits, or the end.
        } catch (KafkaException e) {
            LOG.atWarn().addKeyValue(LogKeys.REASON, e.toString()).log("state topics not readable, trying again");
            Thread.sleep(BACKOFF_MILLIS);
        }
    }

    private void end(Throwable cause) {
        consumer.close();
        while (!commands.isEmpty())
            obey();
        catchUps.fail(cause);
    }

    /// Those that are there when it begins: what is sent meanwhile waits for the next pass, after a poll.
    private void obey() {
        woken.set(false);
        for (int left = commands.size(); left > 0; left--) {
            Command command = requireNonNull(commands.poll());
            switch (command) {
                case Command.Follow(var partition, var view, long since, var caughtUp) -> {
                    catchUps.toItsEnd(partition, caughtUp);
                    if (views.putIfAbsent(partition, view) == null && !stopping) {
                        consumer.assign(views.keySet());
                        unpositioned.put(partition, since);
                    }
                }
                case Command.Unfollow(var partition) -> {
                    TopicView view = views.remove(partition);
                    unpositioned.remove(partition);
                    if (!stopping)
                        consumer.assign(views.keySet());
                    if (view != null)
                        view.forget(partition.partition());
                    catchUps.giveUp(partition);
                }
                case Command.CatchUp(var partition, var caughtUp) -> catchUps.toItsEnd(partition, caughtUp);
                case Command.Run(Runnable work) -> run(work, stopping);
                case Command.ReadUpTo(var partition, long end, var caughtUp) -> {
                    if (views.containsKey(partition)) {
                        catchUps.upTo(partition, end, caughtUp);
                    } else {
                        caughtUp.completeExceptionally(CatchUps.notFollowed(partition));
                    }
                }
            }
        }
    }

    private static void run(Runnable work, boolean stopping) {
        try {
            if (!stopping)
                work.run();
        } catch (RuntimeException e) {
            LOG.atError().setCause(e).log("what was to be done between records failed");
        }
    }

    /// The end is asked first: a record that is committed meanwhile is not passed over.
    private void position() {
        for (Map.Entry<TopicPartition, Long> each : Map.copyOf(unpositioned).entrySet()) {
            TopicPartition partition = each.getKey();
            long since = each.getValue();
            if (since < 0) {
                consumer.seekToBeginning(List.of(partition));
            } else {
                long end = requireNonNull(heard(() -> consumer.endOffsets(Set.of(partition))).get(partition));
                OffsetAndTimestamp first = heard(() -> consumer.offsetsForTimes(Map.of(partition, since)))
                        .get(partition);
                consumer.seek(partition, first == null ? end : first.offset());
            }
            unpositioned.remove(partition);
        }
    }

    private <T> T heard(Supplier<T> question) {
        while (true) {
            try {
                return question.get();
            } catch (WakeupException e) {
                // At most one for each pass, and this pass has heard it.
                if (stopping)
                    throw e;
            }
        }
    }

    /// How many records were read so far; tells whoever waits that there is progress.
    public long read() {
        return read.get();
    }

    private void apply(ConsumerRecord<byte[], byte[]> record) {
        read.incrementAndGet();
        TopicView view = views.get(new TopicPartition(record.topic(), record.partition()));
        if (view == null)
            return;
        try {
            view.apply(record.partition(),
                    record.key() == null ? "" : new String(record.key(), StandardCharsets.UTF_8), record.value(),
                    record.timestamp());
        } catch (RuntimeException e) {
            LOG.atError().setCause(Unquoted.of(e)).addKeyValue(LogKeys.PARTITION, record.partition())
                    .addKeyValue(LogKeys.OFFSET, record.offset()).addKeyValue("topic", record.topic())
                    .log("state record not understood, passed over");
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
