package dev.toolfleet.bench.crash;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

import dev.toolfleet.bench.load.CallPlan;
import dev.toolfleet.bench.load.PlannedCall;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.wire.WireCodec;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/// Writes the planned calls when they are due, some of them twice. A broker that is away delays them.
final class CallFeed implements AutoCloseable {
    private static final WireCodec<ToolCall> CODEC = WireCodec.of(ToolCall.class);
    private static final int PATIENCE_MILLIS = 120_000;

    private final String topic;
    private final OpenCalls open;
    private final KafkaProducer<byte[], byte[]> producer;
    private final AtomicInteger acknowledged = new AtomicInteger();
    private final AtomicReference<Optional<Exception>> problem = new AtomicReference<>(Optional.empty());

    CallFeed(String bootstrapServers, String topic, OpenCalls open) {
        this.topic = topic;
        this.open = open;
        this.producer = new KafkaProducer<>(Map.of("bootstrap.servers", bootstrapServers, "acks", "all",
                "delivery.timeout.ms", PATIENCE_MILLIS, "max.block.ms", PATIENCE_MILLIS, "linger.ms", 2,
                // Or a broker that is away takes the topics' metadata with it, and sending waits for its return.
                "metadata.recovery.strategy", "none"),
                new ByteArraySerializer(), new ByteArraySerializer());
    }

    private record Due(Duration at, PlannedCall call) {}

    /// Writes calls for that long, and returns when the broker has them all.
    void run(CallPlan plan, Duration duration) throws InterruptedException {
        PriorityQueue<Due> again = new PriorityQueue<>(Comparator.comparing(Due::at));
        long start = System.nanoTime();
        PlannedCall next = plan.next();
        while (next.at().compareTo(duration) < 0) {
            Due due = !again.isEmpty() && again.peek().at().compareTo(next.at()) < 0
                    ? again.remove()
                    : new Due(next.at(), next);
            long wait = start + due.at().toNanos() - System.nanoTime();
            if (wait > 0)
                Thread.sleep(Duration.ofNanos(wait));
            send(due.call());
            if (due.call().number() == next.number()) {
                PlannedCall written = next;
                written.again().ifPresent(at -> again.add(new Due(at, written)));
                next = plan.next();
            }
        }
        again.forEach(due -> send(due.call()));
        producer.flush();
    }

    private void send(PlannedCall call) {
        open.sent(call.id());
        var _ = producer.send(new ProducerRecord<>(topic, call.instance().getBytes(StandardCharsets.UTF_8),
                CODEC.write(call.onTheWire())), (metadata, failure) -> {
                    if (failure == null)
                        acknowledged.incrementAndGet();
                    else
                        problem.compareAndSet(Optional.empty(), Optional.of(failure));
                });
    }

    /// How many records the broker said it has.
    int acknowledged() {
        return acknowledged.get();
    }

    /// The first failure to write a call.
    Optional<Exception> problem() {
        return problem.get();
    }

    @Override
    public void close() {
        producer.close(Duration.ZERO);
    }
}
