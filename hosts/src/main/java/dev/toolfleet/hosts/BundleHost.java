package dev.toolfleet.hosts;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;

import org.jspecify.annotations.Nullable;

/// Processes of one bundle revision and language. Starts them when they are needed, and again when they have ended.
///
/// **Contract.** A process that has ended is replaced at its next use, unless it ended too often. After [#close] none
/// is left, and none starts.
///
/// **Threads.** Any. One thread at a time starts the process of a slot; the others wait for it.
final class BundleHost implements AutoCloseable {
    private final HostLaunch launch;
    private final HostStarter starter;
    private final String workerVersion;
    private final HostsConfig.Renewal renewal;
    private final AtomicLong starts;
    private final RestartBreaker breaker = new RestartBreaker();
    private final List<Slot> slots = new ArrayList<>();
    /// Processes that end after their last call, and those of a single call.
    private final Set<HostProcess> outside = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    private static final class Slot {
        private final ReentrantLock lock = new ReentrantLock();
        private volatile @Nullable HostProcess process;
    }

    /// @param config the number of processes, and their renewal
    /// @param starts counts the processes that are started
    BundleHost(HostLaunch launch, HostStarter starter, String workerVersion, HostsConfig config, AtomicLong starts) {
        this.launch = launch;
        this.starter = starter;
        this.workerVersion = workerVersion;
        this.renewal = config.renewal();
        this.starts = starts;
        for (int i = 0; i < config.processes(); i++)
            slots.add(new Slot());
    }

    String label() {
        return launch.label();
    }

    /// Returns the process with the fewest calls; starts one if it is the turn of a slot without one.
    ///
    /// @throws HostDownException if none can be started, or the last ones ended too soon
    HostProcess process() throws HostDownException, InterruptedException {
        Slot slot = slots.size() == 1
                ? slots.getFirst()
                : slots.stream().min(Comparator.comparingInt(BundleHost::calls)).orElseThrow();
        HostProcess running = slot.process;
        if (running != null && isGood(running))
            return running;
        slot.lock.lockInterruptibly();
        try {
            running = slot.process;
            if (running != null && isGood(running))
                return running;
            HostProcess started = startCounted();
            if (running != null)
                retire(running);
            slot.process = started;
            // Otherwise: close() has passed this slot before the process was there, and it stays for ever.
            if (closed)
                started.close();
            return started;
        } finally {
            slot.lock.unlock();
        }
    }

    private void retire(HostProcess process) {
        outside.removeIf(HostProcess::isGone);
        outside.add(process);
        process.retire();
    }

    private boolean isGood(HostProcess process) {
        return process.takesCalls() && !process.isWornOut(renewal);
    }

    private static int calls(Slot slot) {
        HostProcess running = slot.process;
        return running == null || !running.takesCalls() ? 0 : running.openCalls();
    }

    private HostProcess startCounted() throws HostDownException, InterruptedException {
        Optional<String> refusal = breaker.refusal(System.nanoTime());
        if (refusal.isPresent())
            throw new HostDownException(refusal.get());
        try {
            HostProcess started = start();
            var _ = started.death().thenAccept(reason -> breaker.ended(System.nanoTime(), reason));
            return started;
        } catch (HostDownException e) {
            breaker.ended(System.nanoTime(), e.reason());
            throw e;
        }
    }

    /// Starts a process for a single call. The caller has to close it.
    HostProcess startForOne() throws HostDownException, InterruptedException {
        HostProcess own = start();
        outside.removeIf(HostProcess::isGone);
        outside.add(own);
        // Otherwise: close() has looked before the process was there.
        if (closed)
            own.close();
        return own;
    }

    private HostProcess start() throws HostDownException, InterruptedException {
        if (closed)
            throw new HostDownException("the worker has let it go");
        starts.incrementAndGet();
        try {
            return HostProcess.greet(launch, starter.start(launch), workerVersion);
        } catch (IOException e) {
            throw new HostDownException("it cannot be started: " + e.getMessage());
        }
    }

    /// Returns the processes that run; those that take calls come first.
    List<HostProcess> running() {
        List<HostProcess> running = new ArrayList<>();
        for (Slot slot : slots) {
            HostProcess process = slot.process;
            if (process != null && !process.isGone())
                running.add(process);
        }
        outside.stream().filter(process -> !process.isGone()).forEach(running::add);
        return running;
    }

    /// Returns the reason why no process may start now; empty if one may.
    Optional<String> refusal() {
        return breaker.refusal(System.nanoTime());
    }

    @Override
    public void close() {
        closed = true;
        for (Slot slot : slots) {
            HostProcess running = slot.process;
            if (running != null)
                running.close();
        }
        outside.forEach(HostProcess::close);
    }
}
