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

/// Looks from time to time which logs the topics of calls are. A consumer does not show that its topic was deleted and
/// made anew: it reads on in the new one, from the offset that it had reached in the old. Owns a thread.
public final class LogWatch implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(LogWatch.class);

    /// How soon a topic that was made anew is noticed.
    private static final Duration INTERVAL = Duration.ofSeconds(10);

    private final Supplier<Incarnation> present;
    private final Consumer<Incarnation> told;
    private final Duration interval;
    private final ScheduledExecutorService thread = Executors
            .newSingleThreadScheduledExecutor(Thread.ofPlatform().name("log-watch").daemon().factory());

    /// @param present asks the broker; throws a `KafkaException` when it does not answer
    /// @param told takes each answer
    public LogWatch(Supplier<Incarnation> present, Consumer<Incarnation> told) {
        this(present, told, INTERVAL);
    }

    LogWatch(Supplier<Incarnation> present, Consumer<Incarnation> told, Duration interval) {
        this.present = present;
        this.told = told;
        this.interval = interval;
    }

    /// Starts to look.
    public void start() {
        var _ = thread.scheduleWithFixedDelay(this::look, interval.toMillis(), interval.toMillis(),
                TimeUnit.MILLISECONDS);
    }

    private void look() {
        try {
            told.accept(present.get());
        } catch (KafkaException e) {
            LOG.atWarn().addKeyValue(LogKeys.REASON, e.toString()).log("topics of calls not described");
        } catch (RuntimeException e) {
            LOG.atError().setCause(e).log("topics of calls not described");
        }
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}
