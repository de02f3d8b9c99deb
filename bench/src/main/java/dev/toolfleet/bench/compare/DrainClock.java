package dev.toolfleet.bench.compare;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import dev.toolfleet.bench.fleet.ProcessUse;
import dev.toolfleet.bench.fleet.ProcessUse.MachineTime;
import dev.toolfleet.client.topics.TopicScan;
import org.jspecify.annotations.Nullable;

/// Counts committed results as they come, without looking at them and seldom enough to take little of the machine, and
/// notes what the processes have taken of it when a part of the results is there. Used once, by one thread.
final class DrainClock {
    private static final Duration NO_PROGRESS = Duration.ofSeconds(60);
    private static final long LOOK_EVERY_MILLIS = 50;
    private static final long SECOND = 1_000_000_000L;

    private final Engines engines;
    private final long brokerPid;

    DrainClock(Engines engines, long brokerPid) {
        this.engines = engines;
        this.brokerPid = brokerPid;
    }

    /// A moment, with the number of results until then.
    private record Mark(int count, long nanos, Duration engineCpu, Duration brokerCpu, MachineTime machine) {}

    /// Use of the machine in about a second; cores are processors that were busy on average.
    ///
    /// @param at milliseconds since the first result until the end of this second
    /// @param perSecond results
    /// @param othersCores all processes but engine and broker, the reader included
    /// @param stolenCores processors that the host of a virtual machine took away
    record Second(long at, double perSecond, double engineCores, double brokerCores, double othersCores,
            double stolenCores) {
        private static Second of(Mark from, Mark to, Mark first) {
            double nanos = to.nanos() - from.nanos();
            MachineTime machine = to.machine().since(from.machine());
            double engine = to.engineCpu().minus(from.engineCpu()).toNanos() / nanos;
            double broker = to.brokerCpu().minus(from.brokerCpu()).toNanos() / nanos;
            return new Second((to.nanos() - first.nanos()) / 1_000_000, (to.count() - from.count()) / nanos * 1e9,
                    engine, broker, Math.max(0, machine.busy().toNanos() / nanos - engine - broker),
                    machine.stolen().toNanos() / nanos);
        }
    }

    /// Use of the machine between two marks; zeros if no time lies between them.
    ///
    /// @param engineMicros processor time of the engine for each result
    /// @param engineCores processors that the engine kept busy
    /// @param brokerCores processors that the broker kept busy
    /// @param seconds of the whole drain, one after the other
    record Use(double engineMicros, double engineCores, double brokerCores, List<Second> seconds) {
        Use {
            seconds = List.copyOf(seconds);
        }
    }

    /// Reads until all results have come, or an engine has ended, or none came for a minute. Bounds the engines when the
    /// warm-up is over.
    Use run(TopicScan results, DrainOptions options) throws InterruptedException {
        int count = 0;
        long heard = System.nanoTime();
        Mark from = null;
        Mark to = null;
        List<Mark> marks = new ArrayList<>();
        while (count < options.all() && engines.areAlive() && System.nanoTime() - heard < NO_PROGRESS.toNanos()) {
            int polled = results.poll(Duration.ofMillis(LOOK_EVERY_MILLIS)).count();
            if (polled == 0)
                continue;
            count += polled;
            heard = System.nanoTime();
            if (marks.isEmpty() || heard - marks.getLast().nanos() >= SECOND)
                marks.add(mark(count, heard));
            if (count >= options.warmUp())
                engines.bound();
            if (from == null && count >= options.from())
                from = mark(count, heard);
            if (to == null && count >= options.to())
                to = mark(count, heard);
            Thread.sleep(LOOK_EVERY_MILLIS);
        }
        return use(from, to, marks);
    }

    private static Use use(@Nullable Mark from, @Nullable Mark to, List<Mark> marks) {
        List<Second> seconds = new ArrayList<>();
        for (int i = 1; i < marks.size(); i++)
            seconds.add(Second.of(marks.get(i - 1), marks.get(i), marks.getFirst()));
        if (from == null || to == null || to.count() == from.count())
            return new Use(0, 0, 0, seconds);
        double nanos = to.nanos() - from.nanos();
        double engine = to.engineCpu().minus(from.engineCpu()).toNanos();
        double broker = to.brokerCpu().minus(from.brokerCpu()).toNanos();
        return new Use(engine / 1e3 / (to.count() - from.count()), engine / nanos, broker / nanos,
                seconds);
    }

    private Mark mark(int count, long nanos) {
        return new Mark(count, nanos, engines.cpu(), ProcessUse.cpu(brokerPid), ProcessUse.machine());
    }
}
