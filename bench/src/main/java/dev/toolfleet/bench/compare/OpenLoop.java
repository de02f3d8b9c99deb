package dev.toolfleet.bench.compare;

import java.time.Duration;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.IntSupplier;

import dev.toolfleet.bench.engine.ComparedCalls;
import dev.toolfleet.client.topics.TopicScan;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.wire.ToolResult;
import dev.toolfleet.wire.WireCodec;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/// Sends calls when they are due, whether those before them were answered or not, and notes when the result of each is
/// read under `read_committed`. Two threads, one that sends and one that reads, so that neither waits for the other.
///
/// Used once, by one thread.
final class OpenLoop {
    private static final WireCodec<ToolResult> RESULTS = WireCodec.of(ToolResult.class);
    private static final Duration LAST_ANSWERS = Duration.ofSeconds(30);

    private final Ground.Place place;
    private final CallLoad load;
    private final ComparedCalls calls;
    private final RateOptions.Schedule schedule;
    private final int[] keys;
    private final long[] answered;
    private final AtomicReference<@Nullable Exception> problem = new AtomicReference<>();

    OpenLoop(Ground.Place place, Arm arm, CallLoad load, RateOptions.Schedule schedule) {
        this.place = place;
        this.load = load;
        this.calls = new ComparedCalls(arm.export(), load.work(), load.textBytes());
        this.schedule = schedule;
        this.keys = new int[schedule.all()];
        this.answered = new long[schedule.all()];
    }

    /// Work of the caller while calls are sent.
    interface Meanwhile {
        void run() throws InterruptedException;
    }

    /// Sends all calls and waits for their results, or until none has come for 30 s or the engine has ended.
    ///
    /// @param engineRuns asked now and then
    /// @param meanwhile runs on this thread from the moment at which calls count
    TimedCalls run(BooleanSupplier engineRuns, Meanwhile meanwhile) throws InterruptedException {
        IntSupplier draw = load.keys().draw(new Random(load.seed()));
        for (int number = 0; number < keys.length; number++)
            keys[number] = draw.getAsInt();
        try (TopicScan results = place.reader(Topic.RESULT)) {
            results.poll(Duration.ofMillis(100));
            long begun = System.nanoTime();
            Thread sender = Thread.ofPlatform().name("bench-sender").start(() -> send(begun));
            Thread reader = Thread.ofPlatform().name("bench-reader")
                    .start(() -> read(results, begun + schedule.dueNanos(keys.length), engineRuns));
            try {
                await(begun + schedule.dueNanos(schedule.first()));
                meanwhile.run();
            } finally {
                sender.join();
                reader.join();
            }
            Exception failure = problem.get();
            if (failure != null)
                throw new IllegalStateException("calls could not be written or read: " + failure.getMessage(), failure);
            return new TimedCalls(schedule, begun, keys, answered);
        }
    }

    private void send(long begun) {
        try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", place.bootstrapServers(), "linger.ms", 0), new ByteArraySerializer(),
                new ByteArraySerializer())) {
            for (int number = 0; number < keys.length; number++) {
                byte[] value = calls.call(number, keys[number]);
                await(begun + schedule.dueNanos(number));
                var _ = producer.send(
                        new ProducerRecord<>(place.topic(Topic.CALL), ComparedCalls.key(keys[number]), value),
                        (metadata, failure) -> {
                            if (failure != null)
                                problem.compareAndSet(null, failure);
                        });
            }
        } catch (RuntimeException e) {
            problem.compareAndSet(null, e);
        }
    }

    private void read(TopicScan results, long lastDue, BooleanSupplier engineRuns) {
        try {
            int left = answered.length;
            long heard = lastDue;
            while (left > 0 && problem.get() == null && engineRuns.getAsBoolean()
                    && System.nanoTime() - heard < LAST_ANSWERS.toNanos()) {
                for (var record : results.poll(Duration.ofMillis(100))) {
                    long now = System.nanoTime();
                    heard = Math.max(heard, now);
                    int number = Audit.number(RESULTS.read(record.value()).toolCallId());
                    if (number >= 0 && number < answered.length && answered[number] == 0) {
                        answered[number] = now;
                        left--;
                    }
                }
            }
        } catch (RuntimeException e) {
            problem.compareAndSet(null, e);
        }
    }

    private static void await(long due) {
        for (long left = due - System.nanoTime(); left > 0; left = due - System.nanoTime())
            LockSupport.parkNanos(left);
    }
}
