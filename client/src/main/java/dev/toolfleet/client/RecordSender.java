package dev.toolfleet.client;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

import dev.toolfleet.client.ToolFleetClientException.Reason;
import dev.toolfleet.client.topics.KafkaHeaders;
import dev.toolfleet.topic.EventType;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.topic.Topics;
import dev.toolfleet.topic.TraceParent;
import dev.toolfleet.topic.WireHeaders;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.jspecify.annotations.Nullable;

/// Writes the client's records with their headers. The producer's partitioner chooses the partition; only its answer
/// reports the choice. Thread-safe.
final class RecordSender {
    private final Producer<byte[], byte[]> producer;
    private final Topics topics;
    private final String source;
    private final InstantSource clock;
    private final RandomGenerator random;
    private final String idPrefix;
    private final AtomicLong ids = new AtomicLong();

    /// @param random must be safe for many threads
    RecordSender(Producer<byte[], byte[]> producer, Topics topics, String clientName, InstantSource clock,
            RandomGenerator random) {
        this.producer = producer;
        this.topics = topics;
        this.source = "/toolfleet/client/" + clientName;
        this.clock = clock;
        this.random = random;
        this.idPrefix = Long.toHexString(random.nextLong()) + "-";
    }

    /// Sends a record. One of the two callbacks runs on the producer's thread and must not block. The call blocks while
    /// the broker's metadata is unknown or the producer's buffer is full.
    void send(Topic topic, String key, byte[] value, String traceparent, Consumer<RecordMetadata> landed,
            Consumer<Throwable> failed) {
        send(topic, key, value, traceparent, Map.of(), landed, failed);
    }

    /// Sends a record with further headers.
    @SuppressWarnings("FutureReturnValueIgnored") // the callback hears the same
    void send(Topic topic, String key, byte[] value, String traceparent, Map<String, String> further,
            Consumer<RecordMetadata> landed, Consumer<Throwable> failed) {
        Map<String, String> all = WireHeaders.cloudEvent(type(topic), idPrefix + ids.incrementAndGet(), source, key,
                clock.instant(), traceparent);
        all.putAll(further);
        var headers = KafkaHeaders.of(all);
        byte[] bytes = key.getBytes(StandardCharsets.UTF_8);
        try {
            producer.send(new ProducerRecord<>(topics.name(topic), null, bytes, value, headers),
                    (metadata, problem) -> {
                        if (problem != null)
                            failed.accept(problem);
                        else
                            landed.accept(metadata);
                    });
        } catch (RuntimeException e) {
            // A plugged-in partitioner or interceptor may throw anything.
            failed.accept(e);
        }
    }

    /// Sends a record that gets no answer. The stage completes on one of `threads` when the broker has it.
    ///
    /// @param what the record's name in messages
    CompletionStage<Void> send(Topic topic, String key, byte[] value, String what, Executor threads) {
        CompletableFuture<Void> sent = new CompletableFuture<>();
        SerialExecutor serial = new SerialExecutor(threads);
        send(topic, key, value, traceparent(null, null), metadata -> serial.post(() -> sent.complete(null)),
                problem -> serial.post(() -> sent.completeExceptionally(new ToolFleetClientException(Reason.NOT_SENT,
                        what + " was not sent to " + topics.name(topic) + ": " + problem.getMessage(), problem))));
        return sent.minimalCompletionStage();
    }

    /// Returns the trace context to send: the given one, else a new span of the given trace, else a new trace. A
    /// malformed value counts as not given.
    String traceparent(@Nullable String given, @Nullable String traceId) {
        Optional<TraceParent> trace = TraceParent.parse(given);
        if (trace.isEmpty() && traceId != null)
            trace = TraceParent.parse("00-" + traceId + "-0000000000000001-01").map(any -> any.child(random));
        return trace.orElseGet(() -> TraceParent.start(random)).header();
    }

    private static EventType type(Topic topic) {
        return switch (topic) {
            case CALL -> EventType.TOOL_CALL;
            case STEP -> EventType.AGENT_STEP;
            case COMPLETION -> EventType.TOOL_COMPLETION;
            case DECISION -> EventType.TOOL_DECISION;
            case CONTROL -> EventType.TOOL_CONTROL;
            case AGENT_EVENT -> EventType.AGENT_EVENT;
            case SESSION_MESSAGE -> EventType.SESSION_MESSAGE;
            default -> throw new IllegalArgumentException("clients write nothing to " + topic);
        };
    }

    /// Waits for records under way, at most `timeout`.
    void close(Duration timeout) {
        producer.close(timeout);
    }
}
