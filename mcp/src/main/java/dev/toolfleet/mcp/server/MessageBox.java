package dev.toolfleet.mcp.server;

import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

import dev.toolfleet.mcp.rpc.RpcMessage;
import org.jspecify.annotations.Nullable;

/// Messages of one request on their way to its client: notifications, and the answer at last.
///
/// **Contract.** A notification takes the place of one of the same key that was not taken yet, so a client that does not
/// read holds no memory. Nothing follows the answer.
///
/// **Threads.** Any put; one takes.
final class MessageBox {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Map<String, RpcMessage.Notification> notifications = new LinkedHashMap<>();
    private @Nullable RpcMessage answer;
    private boolean isAnswered;

    void put(String key, RpcMessage.Notification notification) {
        lock.lock();
        try {
            if (!isAnswered) {
                notifications.put(key, notification);
                changed.signal();
            }
        } finally {
            lock.unlock();
        }
    }

    /// Puts the answer, if there is none yet.
    void end(RpcMessage message) {
        lock.lock();
        try {
            if (!isAnswered) {
                isAnswered = true;
                answer = message;
                changed.signal();
            }
        } finally {
            lock.unlock();
        }
    }

    /// Takes the next message; null if none comes in that time.
    @Nullable
    RpcMessage take(Duration timeout) throws InterruptedException {
        long left = timeout.toNanos();
        lock.lockInterruptibly();
        try {
            while (notifications.isEmpty() && answer == null) {
                if (left <= 0)
                    return null;
                left = changed.awaitNanos(left);
            }
            Iterator<RpcMessage.Notification> first = notifications.values().iterator();
            if (first.hasNext()) {
                RpcMessage next = first.next();
                first.remove();
                return next;
            }
            RpcMessage last = answer;
            answer = null;
            return last;
        } finally {
            lock.unlock();
        }
    }

    /// Waits for the answer alone.
    RpcMessage await() throws InterruptedException {
        while (true) {
            RpcMessage message = take(Duration.ofNanos(TimeUnit.DAYS.toNanos(1)));
            if (message instanceof RpcMessage.Result || message instanceof RpcMessage.Failure)
                return message;
        }
    }
}
