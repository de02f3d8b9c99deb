package dev.toolfleet.worker.bridge;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

/// Processes of one server for single instances (`scope: instance`): one for each instance that calls, in the
/// instance's folder, until it has been idle for a while.
///
/// **Contract.** An instance has at most one process at a time; the former one has ended before the next begins. A
/// process with a call at work does not end. At most [#MOST] exist: one more takes the place of the one that has been
/// idle for the longest time, and if all are at work the call ends with `E_MCP_SERVER_DOWN`.
///
/// **Threads.** Any. One thread ends idle processes while there are some.
///
/// **Interleavings.** A call that meets a process that is being ended waits for the end, and starts another. The last
/// release and the look for idle processes happen under one lock.
final class InstanceServers implements AutoCloseable {
    /// The largest number of processes.
    static final int MOST = 32;

    private final String label;
    private final Duration idle;
    private final Function<Path, ServerLink> starter;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Map<Path, Entry> entries = new HashMap<>();
    private @Nullable Thread reaper;
    private boolean closed;

    private static final class Entry {
        private final ServerLink link;
        private int uses;
        private long idleSince;
        private boolean ending;

        Entry(ServerLink link) {
            this.link = link;
        }
    }

    /// @param label the server's name, for messages
    /// @param idle the time without a call after which a process ends
    /// @param starter starts a process in a folder
    InstanceServers(String label, Duration idle, Function<Path, ServerLink> starter) {
        this.label = label;
        this.idle = idle;
        this.starter = starter;
    }

    /// Use of a process, which does not end before it is closed.
    final class Lease implements AutoCloseable {
        private final Entry entry;

        private Lease(Entry entry) {
            this.entry = entry;
        }

        ServerLink link() {
            return entry.link;
        }

        @Override
        public void close() {
            lock.lock();
            try {
                entry.uses--;
                entry.idleSince = System.nanoTime();
                changed.signalAll();
            } finally {
                lock.unlock();
            }
        }
    }

    /// Returns the process of an instance, and starts it if it has none.
    ///
    /// @param folder of the instance, without links
    /// @throws ServerDownException if all processes are at work for others, or the server has been let go
    Lease acquire(Path folder) throws ServerDownException, InterruptedException {
        lock.lockInterruptibly();
        try {
            while (true) {
                if (closed)
                    throw new ServerDownException(label, "the worker has let it go");
                Entry known = entries.get(folder);
                if (known != null && known.ending) {
                    changed.await();
                } else if (known != null) {
                    known.uses++;
                    return new Lease(known);
                } else if (entries.size() >= MOST) {
                    if (!endOldest())
                        changed.await();
                } else {
                    Entry made = new Entry(starter.apply(folder));
                    made.uses = 1;
                    entries.put(folder, made);
                    watch();
                    return new Lease(made);
                }
            }
        } finally {
            lock.unlock();
        }
    }

    /// Makes room.
    ///
    /// @return false if another thread is making room
    private boolean endOldest() throws ServerDownException {
        Optional<Map.Entry<Path, Entry>> oldest = entries.entrySet().stream()
                .filter(each -> each.getValue().uses == 0 && !each.getValue().ending)
                .min(Comparator.comparingLong(each -> each.getValue().idleSince));
        if (oldest.isPresent()) {
            end(oldest.get().getKey(), oldest.get().getValue());
            return true;
        }
        if (entries.values().stream().noneMatch(each -> each.ending))
            throw new ServerDownException(label, "its " + MOST + " processes are all at work for other instances");
        return false;
    }

    /// Ends a process. The caller holds the lock, which is free meanwhile.
    private void end(Path folder, Entry entry) {
        entry.ending = true;
        lock.unlock();
        try {
            entry.link.close();
        } finally {
            lock.lock();
            entries.remove(folder);
            changed.signalAll();
        }
    }

    private void watch() {
        if (reaper == null)
            reaper = Thread.ofVirtual().name("mcp-idle-" + label).start(this::reap);
    }

    private void reap() {
        lock.lock();
        try {
            while (!closed && !entries.isEmpty()) {
                long now = System.nanoTime();
                Optional<Map.Entry<Path, Entry>> idlest = List.copyOf(entries.entrySet()).stream()
                        .filter(each -> each.getValue().uses == 0 && !each.getValue().ending
                                && now - each.getValue().idleSince >= idle.toNanos())
                        .findFirst();
                if (idlest.isPresent())
                    end(idlest.get().getKey(), idlest.get().getValue());
                else
                    changed.awaitNanos(idle.toNanos() / 4 + 1);
            }
        } catch (InterruptedException e) {
            // Closed.
        } finally {
            reaper = null;
            lock.unlock();
        }
    }

    /// Returns the processes that exist.
    List<ServerLink> links() {
        lock.lock();
        try {
            return entries.values().stream().map(each -> each.link).toList();
        } finally {
            lock.unlock();
        }
    }

    /// Ends all processes side by side, whatever they do.
    @Override
    public void close() {
        List<ServerLink> open;
        lock.lock();
        try {
            closed = true;
            open = links();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        SideBySide.run(open.stream().<Runnable>map(link -> link::close).toList());
    }
}
