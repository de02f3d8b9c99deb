package dev.toolfleet.bench.gateway;

import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;

import dev.toolfleet.bench.timing.Latencies;

/// Load of calls through a door. Used by one thread.
final class DoorLoad {
    private final String text;
    private final AtomicInteger numbers = new AtomicInteger();

    /// @param textBytes of each call's text
    DoorLoad(int textBytes) {
        this.text = ".".repeat(textBytes);
    }

    /// Answers of a measurement.
    ///
    /// @param perSecond right answers a second
    /// @param failed calls without their own answer
    /// @param times of all calls, from the instant at which each was due
    record Answers(double perSecond, int failed, Latencies times) {}

    /// Number of calls so far.
    int calls() {
        return numbers.get();
    }

    Door.Load next() {
        return new Door.Load(numbers.getAndIncrement(), text);
    }

    /// Clients that call without a pause, each its next call when it has the result of the one before, and at least once.
    Answers closed(Door door, int clients, Duration duration) throws InterruptedException {
        AtomicInteger right = new AtomicInteger();
        AtomicInteger failed = new AtomicInteger();
        long begin = System.nanoTime();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < clients; i++) {
                var _ = threads.submit(() -> {
                    do
                        (door.call(next()) ? right : failed).incrementAndGet();
                    while (System.nanoTime() - begin < duration.toNanos());
                    return true;
                });
            }
        }
        checkInterrupt();
        return new Answers(right.get() * 1e9 / (System.nanoTime() - begin), failed.get(), new Latencies());
    }

    /// Calls that come evenly, whether those before them were answered or not.
    Answers open(Door door, int rate, Duration duration) throws InterruptedException {
        int count = Math.toIntExact(rate * duration.toMillis() / 1000);
        AtomicLongArray took = new AtomicLongArray(count);
        long begin = System.nanoTime();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < count; i++) {
                int index = i;
                long due = begin + i * 1_000_000_000L / rate;
                long wait = due - System.nanoTime();
                if (wait > 0)
                    Thread.sleep(Duration.ofNanos(wait));
                Door.Load load = next();
                var _ = threads.submit(() -> {
                    if (door.call(load))
                        took.set(index, System.nanoTime() - due);
                    return true;
                });
            }
        }
        checkInterrupt();
        long all = System.nanoTime() - begin;
        Latencies times = new Latencies();
        for (int i = 0; i < count; i++) {
            if (took.get(i) > 0)
                times.add(took.get(i));
        }
        return new Answers(times.count() * 1e9 / all, count - times.count(), times);
    }

    private static void checkInterrupt() throws InterruptedException {
        if (Thread.interrupted())
            throw new InterruptedException("interrupted while calls were made");
    }
}
