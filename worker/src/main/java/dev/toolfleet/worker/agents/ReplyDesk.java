package dev.toolfleet.worker.agents;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

import dev.toolfleet.wire.AgentAddress;
import dev.toolfleet.wire.AgentEvent;
import dev.toolfleet.wire.WireCodec;
import dev.toolfleet.wire.WireFormatException;
import dev.toolfleet.worker.telemetry.LogKeys;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Answers of agents to one worker: handlers wait here for events that are addressed to this worker.
///
/// **Contract.** The desk reads `agent.event` from its end while a handler waits and a minute longer, with one consumer
/// for all of them.
///
/// **Threads.** Thread-safe. The waiting handler is noted first, then the reader has its positions, then the request is
/// sent. So no answer can come before the desk looks for it.
final class ReplyDesk implements AgentReplies, AutoCloseable {
    /// Agent name of workers; no Agent can have it.
    private static final String WORKER = "@worker";
    private static final Logger LOG = LoggerFactory.getLogger(ReplyDesk.class);
    private static final WireCodec<AgentEvent> CODEC = WireCodec.of(AgentEvent.class);
    private static final Duration POLL = Duration.ofMillis(100);
    private static final Duration LINGER = Duration.ofMinutes(1);
    private static final Duration CLOSE = Duration.ofSeconds(2);

    private final AgentAddress address;
    private final Supplier<Consumer<byte[], byte[]>> consumers;
    private final Set<TopicPartition> partitions;
    private final RequestSender sender;
    private final Map<String, CompletableFuture<AgentEvent>> waiting = new ConcurrentHashMap<>();
    private final Object lock = new Object();
    private @Nullable Reader reader;
    private boolean closed;

    /// @param name of this process, unguessable and never used before
    /// @param consumers makes a consumer without a group, which reads committed
    /// @param partitions of `agent.event`
    /// @param sender of requests
    public ReplyDesk(String name, Supplier<Consumer<byte[], byte[]>> consumers,
            Set<TopicPartition> partitions, RequestSender sender) {
        this.address = new AgentAddress(WORKER, name);
        this.consumers = consumers;
        this.partitions = partitions;
        this.sender = sender;
    }

    @Override
    public AgentAddress address() {
        return address;
    }

    @Override
    public @Nullable AgentEvent ask(AgentEvent request, Duration atMost) throws InterruptedException {
        long until = System.nanoTime() + atMost.toNanos();
        CompletableFuture<AgentEvent> answer = new CompletableFuture<>();
        String correlation = String.valueOf(request.correlationId());
        try {
            reading(correlation, answer).get(until - System.nanoTime(), TimeUnit.NANOSECONDS);
            sender.send(request);
            return answer.get(until - System.nanoTime(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            return null;
        } catch (ExecutionException e) {
            throw new IllegalStateException("answers of agents cannot be read: " + e.getCause(), e);
        } finally {
            waiting.remove(correlation);
        }
    }

    /// Completes once the reader has its positions, so that it reads everything from now on.
    private CompletableFuture<Void> reading(String correlation, CompletableFuture<AgentEvent> answer) {
        synchronized (lock) {
            if (closed)
                throw new IllegalStateException("the worker stops");
            waiting.put(correlation, answer);
            Reader running = reader;
            if (running == null) {
                running = new Reader();
                reader = running;
                running.thread.start();
            }
            return running.positioned;
        }
    }

    /// True if no handler waits, and the reader may end.
    private boolean ends(Reader idle) {
        synchronized (lock) {
            if (!closed && !waiting.isEmpty())
                return false;
            if (reader == idle)
                reader = null;
            return true;
        }
    }

    private final class Reader {
        final CompletableFuture<Void> positioned = new CompletableFuture<>();
        final Thread thread = Thread.ofPlatform().name("agent-replies").daemon().unstarted(this::run);

        private void run() {
            try (Consumer<byte[], byte[]> consumer = consumers.get()) {
                consumer.assign(partitions);
                consumer.seekToEnd(partitions);
                partitions.forEach(consumer::position);
                positioned.complete(null);
                read(consumer);
            } catch (KafkaException e) {
                LOG.atWarn().addKeyValue(LogKeys.REASON, e.toString()).log("answers of agents could not be read");
                synchronized (lock) {
                    // Before any handler learns of the failure, which would otherwise ask this reader again.
                    if (reader == this)
                        reader = null;
                    waiting.values().forEach(each -> each.completeExceptionally(e));
                }
                positioned.completeExceptionally(e);
            }
        }

        private void read(Consumer<byte[], byte[]> consumer) {
            long idleSince = System.nanoTime();
            while (true) {
                consumer.poll(POLL).forEach(ReplyDesk.this::arrived);
                if (!waiting.isEmpty() && !isClosed())
                    idleSince = System.nanoTime();
                else if ((isClosed() || System.nanoTime() - idleSince > LINGER.toNanos()) && ends(this))
                    return;
            }
        }
    }

    private boolean isClosed() {
        synchronized (lock) {
            return closed;
        }
    }

    private void arrived(ConsumerRecord<byte[], byte[]> record) {
        byte[] key = record.key();
        // Cheap for the many events with other addressees.
        if (key == null || record.value() == null
                || !new String(key, StandardCharsets.UTF_8).equals(address.instanceKey()))
            return;
        try {
            AgentEvent event = CODEC.read(record.value());
            CompletableFuture<AgentEvent> asked = event.correlationId() == null
                    ? null
                    : waiting.get(event.correlationId());
            if (asked != null && event.type() == AgentEvent.Type.DELEGATE_RESULT)
                asked.complete(event);
        } catch (WireFormatException e) {
            LOG.atWarn().addKeyValue(LogKeys.PARTITION, record.partition())
                    .addKeyValue(LogKeys.OFFSET, record.offset())
                    .log("answer of an agent skipped: record not understood");
        }
    }

    @Override
    public void close() {
        Reader running;
        synchronized (lock) {
            closed = true;
            running = reader;
            waiting.values().forEach(
                    each -> each.completeExceptionally(new IllegalStateException("the worker stops")));
        }
        try {
            if (running != null)
                running.thread.join(CLOSE);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
