package dev.toolfleet.bench.crash;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

import dev.toolfleet.bench.load.PlannedCall;
import dev.toolfleet.wire.StepCatalog;
import dev.toolfleet.wire.StepEvent;
import dev.toolfleet.wire.WireCodec;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;

/// Announces the steps of calls some time before, and holds a call until the catalog of its step is there, as an agent
/// runtime does: its model could not call otherwise. Thread-safe.
final class StepFeed {
    private static final WireCodec<StepEvent> CODEC = WireCodec.of(StepEvent.class);
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private final String topic;
    private final KafkaProducer<byte[], byte[]> producer;
    private final Set<String> announced = new HashSet<>();
    private final Set<String> published = new HashSet<>();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition news = lock.newCondition();

    /// @param topic of steps
    StepFeed(String topic, KafkaProducer<byte[], byte[]> producer) {
        this.topic = topic;
        this.producer = producer;
    }

    private static String name(String instance, String step) {
        return instance + "/" + step;
    }

    /// Announces the call's step unless that was done. One thread calls it.
    void announce(PlannedCall call) {
        if (announced.add(name(call.instance(), call.stepId()))) {
            var _ = producer.send(new ProducerRecord<>(topic, call.instance().getBytes(StandardCharsets.UTF_8),
                    CODEC.write(call.step())));
        }
    }

    /// A catalog came.
    void published(StepCatalog catalog) {
        lock.lock();
        try {
            published.add(name(catalog.instanceKey(), catalog.stepId()));
            news.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /// Waits for the catalog of the call's step.
    ///
    /// @throws IllegalStateException when it does not come
    void awaitCatalog(PlannedCall call) throws InterruptedException {
        String name = name(call.instance(), call.stepId());
        long left = PATIENCE.toNanos();
        lock.lock();
        try {
            while (!published.contains(name)) {
                if (left <= 0)
                    throw new IllegalStateException("the catalog of step " + name + " did not come within "
                            + PATIENCE.toSeconds() + " s; the log of the catalog service is logs/catalog.log");
                left = news.awaitNanos(left);
            }
        } finally {
            lock.unlock();
        }
    }
}
