package dev.toolfleet.hosts;

import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

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
    private final CompletableFuture<HostReply> reply = new CompletableFuture<>();
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
        return reply.isDone();
    }

    /// Ends the request; later ends do nothing.
    void end(HostReply end) {
        if (!reply.complete(end))
            return;
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

    /// Waits for the reply.
    HostReply await() throws InterruptedException {
        try {
            return reply.get();
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }

    /// Waits for the reply at most for some time; null if there is none by then.
    @Nullable
    HostReply await(long millis) throws InterruptedException {
        try {
            return reply.get(millis, TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            return null;
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }
}
