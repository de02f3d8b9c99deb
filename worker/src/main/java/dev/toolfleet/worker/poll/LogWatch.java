package dev.toolfleet.worker.poll;

import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;

import dev.toolfleet.worker.commit.Incarnation;
import dev.toolfleet.worker.telemetry.LogKeys;
import org.apache.kafka.common.KafkaException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Checks every few seconds that the topics of calls are still the same logs. Owns a thread.
///
/// **Why.** A consumer does not report that its topic was deleted and made anew: it reads on in the new log, at the
/// offset that it had reached in the old one.
final class LogWatch implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(LogWatch.class);

    /// Time between two checks, and so the longest time until a topic that was made anew is noticed.
    private static final Duration INTERVAL = Duration.ofSeconds(10);

    private final Supplier<Incarnation> present;
    private final Consumer<Incarnation> told;
    private final Duration interval;
    private final ScheduledExecutorService thread = Executors
            .newSingleThreadScheduledExecutor(Thread.ofPlatform().name("log-watch").daemon().factory());

    /// @param present requests the ids; throws a `KafkaException` if the broker does not answer
    /// @param told takes each answer
    public LogWatch(Supplier<Incarnation> present, Consumer<Incarnation> told) {
        this(present, told, INTERVAL);
    }

    LogWatch(Supplier<Incarnation> present, Consumer<Incarnation> told, Duration interval) {
        this.present = present;
        this.told = told;
        this.interval = interval;
    }

    /// Starts the thread.
    public void start() {
        var _ = thread.scheduleWithFixedDelay(this::look, interval.toMillis(), interval.toMillis(),
                TimeUnit.MILLISECONDS);
    }

    private void look() {
        try {
            told.accept(present.get());
        } catch (KafkaException e) {
            LOG.atWarn().addKeyValue(LogKeys.REASON, e.toString()).log("ids of the call topics could not be read");
        } catch (RuntimeException e) {
            LOG.atError().setCause(e).log("ids of the call topics could not be read");
        }
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}
