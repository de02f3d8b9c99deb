package dev.toolfleet.worker.state;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;

import dev.toolfleet.worker.telemetry.LogKeys;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
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
        record Follow(TopicPartition partition, TopicView view, CompletableFuture<Void> caughtUp) implements Command {}

        record Unfollow(TopicPartition partition) implements Command {}

        record CatchUp(TopicPartition partition, CompletableFuture<Void> caughtUp) implements Command {}
    }

    /// Somebody waits until `partition` was read up to `end`.
    private record Waiter(TopicPartition partition, long end, CompletableFuture<Void> caughtUp) {}

    private final Consumer<byte[], byte[]> consumer;
    private final Map<TopicPartition, TopicView> views = new HashMap<>();
    private final List<Waiter> waiters = new ArrayList<>();
    private final Queue<Command> commands = new ConcurrentLinkedQueue<>();
    private final Thread thread = Thread.ofPlatform().name("state").unstarted(this::run);
    private volatile boolean stopping;

    /// A follower that is started by [#start]; `consumer` needs no group and reads committed.
    public StateFollower(Consumer<byte[], byte[]> consumer) {
        this.consumer = consumer;
    }

    /// Starts the thread.
    public void start() {
        thread.start();
    }

    /// Follows a partition from its beginning.
    ///
    /// @return done when everything was applied that had been committed when this was asked
    public CompletableFuture<Void> follow(TopicPartition partition, TopicView view) {
        CompletableFuture<Void> caughtUp = new CompletableFuture<>();
        send(new Command.Follow(partition, view, caughtUp));
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

    private void send(Command command) {
        commands.add(command);
        consumer.wakeup();
    }

    private void run() {
        while (!stopping) {
            try {
                obey();
                if (views.isEmpty()) {
                    Thread.sleep(IDLE.toMillis() / 20);
                } else {
                    consumer.poll(IDLE).forEach(this::apply);
                }
                answer();
            } catch (WakeupException e) {
                // A command waits.
            } catch (InterruptedException e) {
                break;
            } catch (RuntimeException e) {
                LOG.atWarn().addKeyValue(LogKeys.REASON, e.toString()).log("state topics not readable, trying again");
                backOff();
            }
        }
        consumer.close();
        IllegalStateException stopped = new IllegalStateException("the worker stops");
        waiters.forEach(waiter -> waiter.caughtUp().completeExceptionally(stopped));
        for (Command command = commands.poll(); command != null; command = commands.poll()) {
            if (command instanceof Command.CatchUp(_, var caughtUp))
                caughtUp.completeExceptionally(stopped);
            if (command instanceof Command.Follow(_, _, var caughtUp))
                caughtUp.completeExceptionally(stopped);
        }
    }

    private void obey() {
        for (Command command = commands.peek(); command != null; command = commands.peek()) {
            switch (command) {
                case Command.Follow(var partition, var view, var caughtUp) -> {
                    Set<TopicPartition> all = new HashSet<>(views.keySet());
                    if (all.add(partition)) {
                        consumer.assign(all);
                        consumer.seekToBeginning(List.of(partition));
                        views.put(partition, view);
                    }
                    await(partition, caughtUp);
                }
                case Command.Unfollow(var partition) -> {
                    TopicView view = views.remove(partition);
                    consumer.assign(views.keySet());
                    if (view != null)
                        view.forget(partition.partition());
                    giveUp(partition);
                }
                case Command.CatchUp(var partition, var caughtUp) -> {
                    if (views.containsKey(partition)) {
                        await(partition, caughtUp);
                    } else {
                        caughtUp.completeExceptionally(new IllegalStateException(partition + " is not followed"));
                    }
                }
            }
            // Removed only now: a wake-up or a passing fault in between has it done again.
            commands.remove();
        }
    }

    private void await(TopicPartition partition, CompletableFuture<Void> caughtUp) {
        waiters.add(new Waiter(partition, requireNonNull(consumer.endOffsets(List.of(partition)).get(partition)),
                caughtUp));
    }

    private void giveUp(TopicPartition partition) {
        waiters.removeIf(waiter -> {
            if (!waiter.partition().equals(partition))
                return false;
            waiter.caughtUp().completeExceptionally(new IllegalStateException(partition + " is no longer followed"));
            return true;
        });
    }

    private void answer() {
        if (waiters.isEmpty())
            return;
        waiters.removeIf(waiter -> {
            if (consumer.position(waiter.partition()) < waiter.end())
                return false;
            waiter.caughtUp().complete(null);
            return true;
        });
    }

    private void apply(ConsumerRecord<byte[], byte[]> record) {
        TopicView view = views.get(new TopicPartition(record.topic(), record.partition()));
        if (view == null || record.key() == null)
            return;
        try {
            view.apply(record.partition(), new String(record.key(), StandardCharsets.UTF_8), record.value());
        } catch (RuntimeException e) {
            LOG.atError().setCause(e).addKeyValue(LogKeys.PARTITION, record.partition())
                    .addKeyValue(LogKeys.OFFSET, record.offset()).addKeyValue("topic", record.topic())
                    .log("state record not understood, passed over");
        }
    }

    private void backOff() {
        try {
            Thread.sleep(BACKOFF_MILLIS);
        } catch (InterruptedException e) {
            stopping = true;
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
