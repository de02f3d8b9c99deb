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

/// Writer of messages to a host, on a thread of its own, so that no call waits for a host that does not read. Messages
/// that wait go out in one write.
///
/// **Contract.** A request that is in the queue when the writer stops was never written: [#stop] ends it as not sent.
/// Otherwise: a call that never reached the host counts as one that may have happened.
///
/// **Threads.** Any; the lock guards the queue, and whether a request was taken from it.
final class HostWriter {
    private static final int WRITE_BYTES = 1 << 16;

    @SuppressWarnings("ArrayRecordComponent") // never compared, and the bytes never change
    private record Message(byte[] bytes, @Nullable HostRequest request) {}

    private final OutputStream out;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition filled = lock.newCondition();
    private final Deque<Message> queue = new ArrayDeque<>();
    private final Thread thread;
    private boolean stopped;

    HostWriter(OutputStream out, String label) {
        this.out = out;
        this.thread = Thread.ofPlatform().daemon().name("host-writer-" + label).unstarted(this::run);
    }

    void start() {
        thread.start();
    }

    /// Queues a message; false if the writer has stopped.
    ///
    /// @param request null for a message without an answer
    boolean write(byte[] bytes, @Nullable HostRequest request) {
        lock.lock();
        try {
            if (stopped)
                return false;
            queue.addLast(new Message(bytes, request));
            filled.signal();
            return true;
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
            for (Message message : queue) {
                if (message.request() != null)
                    left.add(message.request());
            }
            queue.clear();
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
            while (queue.isEmpty() && !stopped)
                filled.await();
            if (stopped)
                return false;
            int bytes = 0;
            while (!queue.isEmpty() && bytes < WRITE_BYTES) {
                Message message = queue.removeFirst();
                bytes += message.bytes().length;
                batch.add(message.bytes());
            }
            return true;
        } finally {
            lock.unlock();
        }
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
