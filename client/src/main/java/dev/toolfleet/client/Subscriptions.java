package dev.toolfleet.client;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;

import dev.toolfleet.client.ToolFleetClientException.Reason;

/// Subscriptions to all results of an instance. Thread-safe.
final class Subscriptions {
    /// The most results that wait for a slow listener before it is dropped.
    static final int MAX_WAITING = 10_000;

    private final Executor threads;
    private final Map<String, List<Listening>> byInstance = new ConcurrentHashMap<>();

    Subscriptions(Executor threads) {
        this.threads = threads;
    }

    /// @param from the first offset to deliver, by partition
    Subscription add(String instanceKey, Map<Integer, Long> from, ResultListener listener) {
        Listening listening = new Listening(instanceKey, from, listener);
        byInstance.compute(instanceKey, (key, all) -> {
            List<Listening> grown = all == null ? new CopyOnWriteArrayList<>() : all;
            grown.add(listening);
            return grown;
        });
        return listening;
    }

    boolean concerns(String instanceKey) {
        return byInstance.containsKey(instanceKey);
    }

    /// Passes on a result. Called on the reading thread only.
    void offer(ArrivedResult arrived) {
        for (Listening listening : byInstance.getOrDefault(arrived.result().instanceKey(), List.of()))
            listening.offer(arrived);
    }

    void end(ToolFleetClientException reason) {
        byInstance.values().forEach(all -> all.forEach(listening -> listening.end(reason)));
    }

    private final class Listening implements Subscription {
        private final String instanceKey;
        private final Map<Integer, Long> next;
        private final ResultListener listener;
        private final SerialExecutor serial = new SerialExecutor(threads);

        Listening(String instanceKey, Map<Integer, Long> from, ResultListener listener) {
            this.instanceKey = instanceKey;
            this.next = new ConcurrentHashMap<>(from);
            this.listener = listener;
        }

        void offer(ArrivedResult arrived) {
            // A partition may be read again for another subscriber.
            if (arrived.offset() < next.getOrDefault(arrived.partition(), 0L))
                return;
            next.put(arrived.partition(), arrived.offset() + 1);
            if (serial.post(() -> listener.onResult(arrived.result())) > MAX_WAITING) {
                end(new ToolFleetClientException(Reason.OVERFLOW, "the listener to instance '" + instanceKey
                        + "' has " + MAX_WAITING + " results waiting and gets no more; subscribe again from a stored"
                        + " position once it keeps up", null));
            }
        }

        void end(ToolFleetClientException reason) {
            close();
            serial.post(() -> listener.onEnd(reason));
        }

        @Override
        public void close() {
            byInstance.computeIfPresent(instanceKey, (key, all) -> {
                all.remove(this);
                return all.isEmpty() ? null : all;
            });
        }
    }
}
