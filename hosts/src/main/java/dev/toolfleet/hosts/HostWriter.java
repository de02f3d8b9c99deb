package dev.toolfleet.hosts;

import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

import org.jspecify.annotations.Nullable;

import static java.util.Objects.requireNonNull;

/// Writer of messages to a host, on a thread of its own, so that no call waits for a host that does not read. Messages
/// that wait go out in one write. Calls wait here until the host has room for them.
///
/// **Contract.** A request that is in a queue when the writer stops was never written: [#stop] ends it as not sent.
/// Otherwise: a call that never reached the host counts as one that may have happened.
///
/// **Interleavings.** A call that is cancelled is either withdrawn from its queue, or was taken and is cancelled at the
/// host: one lock decides. The room of a call is freed once, by [HostRequest#release]: the reader frees it with the
/// reply, or the caller does when it abandons the call.
///
/// **Threads.** Any; the lock guards the queues and the number of calls that the host has.
final class HostWriter {
    private static final int WRITE_BYTES = 1 << 16;
    private static final byte[] NOTHING = {};

    @SuppressWarnings("ArrayRecordComponent") // never compared, and the bytes never change
    private record Message(byte[] bytes, @Nullable HostRequest request) {}

    private final OutputStream out;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition filled = lock.newCondition();
    private final Deque<Message> messages = new ArrayDeque<>();
    private final Deque<Message> calls = new ArrayDeque<>();
    private final Thread thread;
    private int room = HostProtocol.IN_FLIGHT;
    private int atHost;
    private boolean stopped;

    HostWriter(OutputStream out, String label) {
        this.out = out;
        this.thread = Thread.ofPlatform().daemon().name("host-writer-" + label).unstarted(this::run);
    }

    void start() {
        thread.start();
    }

    /// Sets how many calls the host gets at once.
    void limit(int most) {
        lock.lock();
        try {
            room = most;
        } finally {
            lock.unlock();
        }
    }

    /// Queues a message, which passes calls that wait; false if the writer has stopped.
    ///
    /// @param request null for a message without an answer
    boolean write(byte[] bytes, @Nullable HostRequest request) {
        return queue(messages, new Message(bytes, request));
    }

    /// Queues a call until the host has room for it; false if the writer has stopped.
    boolean call(byte[] bytes, HostRequest request) {
        return queue(calls, new Message(bytes, request));
    }

    private boolean queue(Deque<Message> queue, Message message) {
        lock.lock();
        try {
            if (stopped)
                return false;
            queue.addLast(message);
            if (hasWork())
                filled.signal();
            return true;
        } finally {
            lock.unlock();
        }
    }

    /// Takes a call out of the queue; false if it was written, or is being written.
    boolean withdraw(HostRequest request) {
        lock.lock();
        try {
            return calls.removeIf(call -> call.request() == request);
        } finally {
            lock.unlock();
        }
    }

    /// Frees the room of calls that the host had.
    void free(int count) {
        lock.lock();
        try {
            atHost -= count;
            if (hasWork())
                filled.signal();
        } finally {
            lock.unlock();
        }
    }

    /// Number of calls that the host has.
    int atHost() {
        lock.lock();
        try {
            return atHost;
        } finally {
            lock.unlock();
        }
    }

    /// Number of calls that wait for the host or are there.
    int open() {
        lock.lock();
        try {
            return atHost + calls.size();
        } finally {
            lock.unlock();
        }
    }

    /// Stops before the next message. Returns the requests that were not written.
    List<HostRequest> stop() {
        lock.lock();
        try {
            stopped = true;
            filled.signal();
            List<HostRequest> left = new ArrayList<>();
            for (Deque<Message> queue : List.of(messages, calls)) {
                for (Message message : queue) {
                    if (message.request() != null)
                        left.add(message.request());
                }
                queue.clear();
            }
            return left;
        } finally {
            lock.unlock();
        }
    }

    private void run() {
        byte[] buffer = new byte[WRITE_BYTES];
        List<byte[]> batch = new ArrayList<>();
        try {
            while (take(batch)) {
                write(batch, buffer);
                batch.clear();
            }
        } catch (IOException e) {
            // The host reads no more: its process has ended, and the watch of the process learns that by itself.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private boolean take(List<byte[]> batch) throws InterruptedException {
        lock.lock();
        try {
            while (!hasWork() && !stopped)
                filled.await();
            if (stopped)
                return false;
            int bytes = 0;
            while (hasWork() && bytes < WRITE_BYTES) {
                byte[] next = messages.isEmpty() ? nextCall() : messages.removeFirst().bytes();
                bytes += next.length;
                batch.add(next);
            }
            return true;
        } finally {
            lock.unlock();
        }
    }

    private boolean hasWork() {
        return !messages.isEmpty() || (!calls.isEmpty() && atHost < room);
    }

    /// Takes the first call, and its room. Empty for one that has ended: a host that breaks the protocol answered it.
    private byte[] nextCall() {
        Message call = calls.removeFirst();
        HostRequest request = requireNonNull(call.request());
        if (request.isEnded())
            return NOTHING;
        request.delivered();
        atHost++;
        return call.bytes();
    }

    private void write(List<byte[]> batch, byte[] buffer) throws IOException {
        int filledTo = 0;
        for (byte[] message : batch) {
            if (filledTo + message.length > buffer.length) {
                out.write(buffer, 0, filledTo);
                filledTo = 0;
            }
            if (message.length > buffer.length) {
                out.write(message);
            } else {
                System.arraycopy(message, 0, buffer, filledTo, message.length);
                filledTo += message.length;
            }
        }
        out.write(buffer, 0, filledTo);
        out.flush();
    }
}
