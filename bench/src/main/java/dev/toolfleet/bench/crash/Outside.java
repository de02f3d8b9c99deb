package dev.toolfleet.bench.crash;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

import dev.toolfleet.bench.effect.EffectTools;
import dev.toolfleet.bench.load.Course;
import dev.toolfleet.bench.load.PlannedCall;
import dev.toolfleet.bench.verdict.RunFacts.DecisionFact;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.topic.Topics;
import dev.toolfleet.wire.Completion;
import dev.toolfleet.wire.Decision;
import dev.toolfleet.wire.ToolResult;
import dev.toolfleet.wire.WireCodec;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;

/// The build farm that completes pending calls and the person who approves or rejects calls, each some time after the
/// pending result; one time in ten both do it twice. Thread-safe.
final class Outside implements AutoCloseable {
    private static final WireCodec<Completion> COMPLETIONS = WireCodec.of(Completion.class);
    private static final WireCodec<Decision> DECISIONS = WireCodec.of(Decision.class);
    private static final int LEAST_MILLIS = 20;
    private static final int MOST_MILLIS = 4_000;
    private static final int TWICE = 10;
    private static final int AGAIN_MILLIS = 500;

    private final CallLedger ledger;
    private final Topics topics;
    private final InstantSource clock;
    private final KafkaProducer<byte[], byte[]> producer;
    private final ScheduledExecutorService thread = Executors
            .newSingleThreadScheduledExecutor(Thread.ofPlatform().daemon().name("bench-outside").factory());
    private final List<DecisionFact> decisions = new CopyOnWriteArrayList<>();

    Outside(String bootstrapServers, Topics topics, CallLedger ledger, InstantSource clock) {
        this.ledger = ledger;
        this.topics = topics;
        this.clock = clock;
        this.producer = CallWriter.producer(bootstrapServers);
    }

    /// A pending result came.
    void accept(ToolResult result) {
        String handle = result.handle();
        if (handle == null)
            return;
        ledger.call(result.toolCallId()).filter(call -> call.work().course().deferred()).ifPresent(call -> {
            int after = LEAST_MILLIS + Math.floorMod(handle.hashCode(), MOST_MILLIS);
            var _ = thread.schedule(() -> end(call, handle), after, TimeUnit.MILLISECONDS);
            if (call.number() % TWICE == 0) {
                var _ = thread.schedule(() -> end(call, handle), after + AGAIN_MILLIS, TimeUnit.MILLISECONDS);
            }
        });
    }

    private void end(PlannedCall call, String handle) {
        Course course = call.work().course();
        if (course == Course.PENDING) {
            write(Topic.COMPLETION, handle, COMPLETIONS
                    .write(Completion.completed(handle, EffectTools.answer(call.id(), call.work().bytes()), null)));
            return;
        }
        boolean approved = course != Course.REJECTED;
        decisions.add(new DecisionFact(call.id(), approved, clock.instant()));
        write(Topic.DECISION, handle, DECISIONS.write(
                approved ? Decision.approve(handle, "bench", null) : Decision.reject(handle, "bench", "at random")));
    }

    private void write(Topic topic, String handle, byte[] value) {
        var _ = producer.send(
                new ProducerRecord<>(topics.name(topic), handle.getBytes(StandardCharsets.UTF_8), value));
    }

    /// The decisions so far.
    List<DecisionFact> decisions() {
        return List.copyOf(decisions);
    }

    @Override
    public void close() {
        thread.shutdownNow();
        producer.close(Duration.ZERO);
    }
}
