package dev.toolfleet.hosts;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;

import dev.toolfleet.tool.ToolContext;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// Request to a host that waits for its reply.
///
/// **Threads.** One thread awaits the reply; the reader of the process, or its watch, ends it.
final class HostRequest {
    /// Messages of a host about a request at work. Its methods must not throw.
    interface Listener {
        /// Ignores all messages, and answers no request.
        Listener NONE = new Listener() {
        };

        /// Returns the context of the call that the request is about; null if there is none.
        default @Nullable ToolContext context() {
            return null;
        }

        /// Receives `progress`.
        default void progress(JsonNode params) {}

        /// Receives `log`.
        default void log(String level, String message) {}

        /// Answers a request of the handler, on a thread of its own, which is interrupted when the call ends.
        ///
        /// @throws ServiceException the error for the handler
        default JsonNode service(String name, JsonNode params) throws ServiceException, InterruptedException {
            throw new ServiceException("E_HOST_SERVICE", "There is no service '" + name + "' here.", null);
        }
    }

    private final long id;
    private final Listener listener;
    private final AtomicReference<@Nullable HostReply> reply = new AtomicReference<>();
    /// True while the call has room at the host. The writer sets it.
    private final AtomicBoolean atHost = new AtomicBoolean();
    private volatile @Nullable Thread waiter;
    /// Services at work; null until the first, for most calls have none.
    private volatile @Nullable Set<Thread> services;

    HostRequest(long id, Listener listener) {
        this.id = id;
        this.listener = listener;
    }

    long id() {
        return id;
    }

    Listener listener() {
        return listener;
    }

    boolean isEnded() {
        return reply.get() != null;
    }

    /// Ends the request; later ends do nothing.
    void end(HostReply end) {
        if (!reply.compareAndSet(null, end))
            return;
        LockSupport.unpark(waiter);
        Set<Thread> begun = services;
        if (begun != null)
            begun.forEach(Thread::interrupt);
    }

    /// Runs a service of the handler on a virtual thread, unless the request has ended. For the reader alone.
    void serve(Runnable service) {
        Set<Thread> begun = services == null ? ConcurrentHashMap.newKeySet() : services;
        services = begun;
        Thread thread = Thread.ofVirtual().name("host-service").unstarted(() -> {
            try {
                service.run();
            } finally {
                begun.remove(Thread.currentThread());
            }
        });
        begun.add(thread);
        thread.start();
        // Otherwise: the request ends between the look and the note, and nothing interrupts the service.
        if (isEnded())
            thread.interrupt();
    }

    /// Notes that the host gets the call now.
    void delivered() {
        atHost.set(true);
    }

    /// Notes that the host has the call no more; true if it had it until now.
    boolean release() {
        return atHost.compareAndSet(true, false);
    }

    /// Waits for the reply.
    HostReply await() throws InterruptedException {
        waiter = Thread.currentThread();
        while (true) {
            HostReply got = reply.get();
            if (got != null)
                return got;
            LockSupport.park(this);
            if (Thread.interrupted())
                throw new InterruptedException();
        }
    }

    /// Waits for the reply at most for some time; null if there is none by then.
    @Nullable
    HostReply await(long millis) throws InterruptedException {
        waiter = Thread.currentThread();
        long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        while (true) {
            HostReply got = reply.get();
            long left = until - System.nanoTime();
            if (got != null || left <= 0)
                return got;
            LockSupport.parkNanos(this, left);
            if (Thread.interrupted())
                throw new InterruptedException();
        }
    }
}
