package dev.toolfleet.client;

import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingDeque;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

import dev.toolfleet.error.Unquoted;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.NoOffsetForPartitionException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.WakeupException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Loop that owns the client's consumer and its thread. It reads the partitions of its commands, without a consumer
/// group, and passes every record to a sink. Other threads send it commands.
final class FollowLoop implements AutoCloseable {
    /// Receives the records on the loop's thread; must not block.
    interface Sink {
        void accept(ConsumerRecord<byte[], byte[]> record);

        /// Called when the loop stops reading without having been closed.
        void broke(Throwable cause);
    }

    private static final Logger LOG = LoggerFactory.getLogger(FollowLoop.class);
    private static final Duration POLL = Duration.ofSeconds(1);
    private static final Duration BACK_OFF = Duration.ofMillis(500);

    private final Consumer<byte[], byte[]> consumer;
    private final Sink sink;
    private final Thread thread;
    private final BlockingDeque<Runnable> commands = new LinkedBlockingDeque<>();
    // One wake-up is enough for all commands until they have run. Otherwise: each further one discards the request in
    // flight, and the consumer never gets an answer.
    private final AtomicBoolean woken = new AtomicBoolean();
    // Written by the loop's thread only.
    private final Map<TopicPartition, Long> startedAt = new ConcurrentHashMap<>();
    // The sink has every record since the last seek that lies before these offsets. Used by the loop's thread only.
    private final Map<TopicPartition, Long> next = new HashMap<>();
    private volatile Map<TopicPartition, Long> positions = Map.of();
    private volatile String problem = "";
    private volatile boolean closed;

    FollowLoop(Consumer<byte[], byte[]> consumer, String threadName, Sink sink) {
        this.consumer = consumer;
        this.sink = sink;
        this.thread = new Thread(this::run, threadName);
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    /// Reads `partition` from `from` on. A partition that is read already goes back only if it began after `from`.
    void follow(TopicPartition partition, long from) {
        if (isFollowed(partition, from))
            return;
        command(() -> {
            if (!isFollowed(partition, from))
                seek(partition, from);
        });
    }

    /// Reads `partition` from `from` on, again if it has been read before.
    void readAgain(TopicPartition partition, long from) {
        command(() -> {
            Long reached = next.get(partition);
            if (reached == null || reached > from)
                seek(partition, from);
        });
    }

    /// Returns the next offset of each partition; the sink has every record before it.
    Map<TopicPartition, Long> positions() {
        return positions;
    }

    /// Returns the problem that keeps the loop from reading, for messages to people; empty when there is none.
    String problem() {
        return problem;
    }

    /// Ends the thread, within `timeout` unless the broker does not answer.
    void close(Duration timeout) {
        closed = true;
        command(() -> {});
        try {
            if (!thread.join(timeout))
                LOG.warn("reading thread still waits for the broker; thread={}", thread.getName());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        close(Duration.ofSeconds(5));
    }

    private boolean isFollowed(TopicPartition partition, long from) {
        Long start = startedAt.get(partition);
        return start != null && start <= from;
    }

    private void command(Runnable command) {
        commands.add(command);
        if (woken.compareAndSet(false, true))
            consumer.wakeup();
    }

    private void run() {
        try {
            while (!closed)
                turn();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (Throwable e) {
            LOG.error("reading thread ended", e);
            problem = "its reading thread ended with " + e;
            sink.broke(e);
        } finally {
            consumer.close(CloseOptions.timeout(Duration.ofSeconds(1)));
        }
    }

    private void turn() throws InterruptedException {
        try {
            obey();
            if (closed)
                return;
            if (startedAt.isEmpty()) {
                awaitCommand();
                return;
            }
            for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL))
                hand(record);
            publishPositions();
            problem = "";
        } catch (WakeupException e) {
            // A command is waiting.
        } catch (RuntimeException e) {
            LOG.warn("read failed, trying again", e);
            problem = String.valueOf(e.getMessage());
            Thread.sleep(BACK_OFF);
        }
    }

    private void obey() {
        do {
            // A command that fails stays first for the next turn.
            for (Runnable command = commands.peek(); command != null; command = commands.peek()) {
                command.run();
                commands.remove();
            }
            woken.set(false);
            // A command that came in between did not wake the consumer again: it relies on this check.
        } while (!commands.isEmpty());
    }

    private void awaitCommand() throws InterruptedException {
        Runnable command = commands.poll(POLL.toMillis(), TimeUnit.MILLISECONDS);
        if (command != null)
            commands.addFirst(command);
    }

    private void hand(ConsumerRecord<byte[], byte[]> record) {
        next.put(new TopicPartition(record.topic(), record.partition()), record.offset() + 1);
        try {
            sink.accept(record);
        } catch (RuntimeException e) {
            LOG.error("record not processed; topic={} partition={} offset={}", record.topic(),
                    record.partition(), record.offset(), Unquoted.of(e));
        }
    }

    /// Marks each part as done at its end, so that the command can be tried again.
    private void seek(TopicPartition partition, long from) {
        if (!startedAt.containsKey(partition)) {
            Set<TopicPartition> all = new HashSet<>(startedAt.keySet());
            all.add(partition);
            consumer.assign(all);
        }
        consumer.seek(partition, from);
        next.put(partition, from);
        startedAt.merge(partition, from, Math::min);
    }

    private void publishPositions() {
        Map<TopicPartition, Long> now = new HashMap<>();
        for (TopicPartition partition : startedAt.keySet())
            now.put(partition, position(partition));
        positions = now;
    }

    /// Never waits. Otherwise: a partition that lost its leader keeps the loop from reading all others.
    private long position(TopicPartition partition) {
        while (true) {
            try {
                return consumer.position(partition, Duration.ZERO);
            } catch (WakeupException e) {
                // Further commands may wait, and one wake-up is thrown once.
            } catch (TimeoutException | NoOffsetForPartitionException e) {
                return next.getOrDefault(partition, 0L);
            }
        }
    }
}
