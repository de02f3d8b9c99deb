package dev.toolfleet.bench.compare;

import java.time.Duration;

import dev.toolfleet.bench.fleet.ProcessUse;
import dev.toolfleet.client.topics.TopicScan;
import org.jspecify.annotations.Nullable;

/// Counts committed results as they come, without looking at them and seldom enough to take little of the machine, and
/// notes what the processes have taken of it when a part of the results is there. Used once, by one thread.
final class DrainClock {
    private static final Duration NO_PROGRESS = Duration.ofSeconds(60);
    private static final long LOOK_EVERY_MILLIS = 50;

    private final Engines engines;
    private final long brokerPid;

    DrainClock(Engines engines, long brokerPid) {
        this.engines = engines;
        this.brokerPid = brokerPid;
    }

    /// A moment, with the number of results until then.
    private record Mark(int count, long nanos, Duration engineCpu, Duration brokerCpu) {}

    /// Use of the machine between two marks; zeros if no time lies between them.
    ///
    /// @param engineMicros processor time of the engine for each result
    /// @param engineCores processors that the engine kept busy
    /// @param brokerCores processors that the broker kept busy
    record Use(double engineMicros, double engineCores, double brokerCores) {}

    /// Reads until all results have come, or an engine has ended, or none came for a minute.
    Use run(TopicScan results, DrainOptions options) throws InterruptedException {
        int count = 0;
        long heard = System.nanoTime();
        Mark from = null;
        Mark to = null;
        while (count < options.all() && engines.areAlive() && System.nanoTime() - heard < NO_PROGRESS.toNanos()) {
            int polled = results.poll(Duration.ofMillis(LOOK_EVERY_MILLIS)).count();
            if (polled == 0)
                continue;
            count += polled;
            heard = System.nanoTime();
            if (from == null && count >= options.from())
                from = mark(count, heard);
            if (to == null && count >= options.to())
                to = mark(count, heard);
            Thread.sleep(LOOK_EVERY_MILLIS);
        }
        return use(from, to);
    }

    private static Use use(@Nullable Mark from, @Nullable Mark to) {
        if (from == null || to == null || to.count() == from.count())
            return new Use(0, 0, 0);
        double nanos = to.nanos() - from.nanos();
        double engine = to.engineCpu().minus(from.engineCpu()).toNanos();
        double broker = to.brokerCpu().minus(from.brokerCpu()).toNanos();
        return new Use(engine / 1e3 / (to.count() - from.count()), engine / nanos, broker / nanos);
    }

    private Mark mark(int count, long nanos) {
        return new Mark(count, nanos, engines.cpu(), ProcessUse.cpu(brokerPid));
    }
}
