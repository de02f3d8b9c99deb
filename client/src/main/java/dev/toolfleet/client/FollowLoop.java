package dev.toolfleet.client;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Owns the client's consumer and its thread: reads the partitions that it was told to, without a consumer group, and
/// hands every record to a sink. Others send it commands.
final class FollowLoop implements AutoCloseable {
    /// Takes records on the loop's thread and never blocks.
    interface Sink {
        void accept(ConsumerRecord<byte[], byte[]> record);
    }

    private static final Logger LOG = LoggerFactory.getLogger(FollowLoop.class);
    private static final Duration POLL = Duration.ofSeconds(1);
    private static final Duration BACK_OFF = Duration.ofMillis(500);

    private final Consumer<byte[], byte[]> consumer;
    private final Sink sink;
    private final Thread thread;
    private final BlockingQueue<Runnable> commands = new LinkedBlockingQueue<>();
    private final Map<TopicPartition, Long> startedAt = new HashMap<>();
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
        command(() -> {
            Long start = startedAt.get(partition);
            if (start == null || start > from)
                seek(partition, from);
        });
    }

    /// Reads `partition` from `from` on, again if it has been read before.
    void readAgain(TopicPartition partition, long from) {
        command(() -> {
            if (!startedAt.containsKey(partition) || unwoken(() -> consumer.position(partition)) > from)
                seek(partition, from);
        });
    }

    /// Where committed records end now.
    CompletableFuture<Map<TopicPartition, Long>> ends(Collection<TopicPartition> partitions) {
        CompletableFuture<Map<TopicPartition, Long>> ends = new CompletableFuture<>();
        command(() -> {
            try {
                if (!closed)
                    ends.complete(unwoken(() -> consumer.endOffsets(partitions)));
            } catch (KafkaException e) {
                ends.completeExceptionally(e);
            }
        });
        return ends;
    }

    /// The next offset of each partition; what lies before it has been handed to the sink.
    Map<TopicPartition, Long> positions() {
        return positions;
    }

    /// What keeps the loop from reading, for messages to people; empty when nothing does.
    String problem() {
        return problem;
    }

    /// Ends the thread, within `timeout` unless the broker does not answer.
    void close(Duration timeout) {
        closed = true;
        command(() -> {});
        try {
            if (!thread.join(timeout))
                LOG.warn("the client's reading thread is still waiting for the broker; thread={}", thread.getName());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        close(Duration.ofSeconds(5));
    }

    private void command(Runnable command) {
        commands.add(command);
        consumer.wakeup();
    }

    private void run() {
        try {
            while (!closed)
                turn();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            consumer.close(CloseOptions.timeout(Duration.ofSeconds(1)));
        }
    }

    private void turn() throws InterruptedException {
        try {
            obey();
            if (startedAt.isEmpty()) {
                rest(POLL);
                return;
            }
            for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL))
                hand(record);
            publishPositions();
            problem = "";
        } catch (WakeupException e) {
            // There is a command.
        } catch (RuntimeException e) {
            LOG.warn("the client cannot read, and tries again", e);
            problem = String.valueOf(e.getMessage());
            rest(BACK_OFF);
        }
    }

    private void obey() {
        for (Runnable command = commands.poll(); command != null; command = commands.poll())
            command.run();
    }

    private void rest(Duration atMost) throws InterruptedException {
        Runnable command = commands.poll(atMost.toMillis(), TimeUnit.MILLISECONDS);
        if (command != null)
            command.run();
    }

    private void hand(ConsumerRecord<byte[], byte[]> record) {
        try {
            sink.accept(record);
        } catch (RuntimeException e) {
            LOG.error("a record could not be taken; topic={} partition={} offset={}", record.topic(),
                    record.partition(), record.offset(), e);
        }
    }

    private void seek(TopicPartition partition, long from) {
        if (startedAt.putIfAbsent(partition, from) == null)
            consumer.assign(startedAt.keySet());
        startedAt.merge(partition, from, Math::min);
        consumer.seek(partition, from);
    }

    private void publishPositions() {
        Map<TopicPartition, Long> now = new HashMap<>();
        for (TopicPartition partition : startedAt.keySet())
            now.put(partition, unwoken(() -> consumer.position(partition)));
        positions = now;
    }

    /// Asks the consumer; a wake-up in between only means that there is one command more.
    private static <T> T unwoken(Supplier<T> question) {
        while (true) {
            try {
                return question.get();
            } catch (WakeupException e) {
                // Ask again.
            }
        }
    }
}
