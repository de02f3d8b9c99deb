package dev.toolfleet.gateway.topology;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

import dev.toolfleet.gateway.calls.CallId;
import dev.toolfleet.gateway.calls.Courier;
import dev.toolfleet.gateway.calls.Delivery;
import dev.toolfleet.gateway.calls.Delivery.Outcome;
import dev.toolfleet.gateway.calls.DeliverySchedule;
import dev.toolfleet.wire.Callback;
import dev.toolfleet.wire.WireFormatException;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

import static java.util.Objects.requireNonNull;

/// Deliveries of one partition that have not ended: in the store by the time of their next attempt, and in memory those
/// under way.
///
/// **Contract.** A pass reads at most [#PER_PASS] deliveries that are due, and goes on where the last one stopped. So
/// thousands for receivers that are down delay others by passes, and never stop the partition.
///
/// **Threads.** The task's thread; outcomes arrive from others.
final class OpenDeliveries {
    /// Most deliveries that one pass reads.
    static final int PER_PASS = 1000;

    private final int partition;
    private final KeyValueStore<byte[], byte[]> store;
    private final Courier courier;
    private final DeliverySchedule schedule;
    private final RandomGenerator random;
    private final CallbackLetter letters;
    private final Consumer<Record<byte[], byte[]>> deadLetters;
    /// Keys of the deliveries under way, by their call.
    private final Map<Long, byte[]> underWay = new HashMap<>();
    private final Queue<Ended> ended = new ConcurrentLinkedQueue<>();
    private byte @Nullable [] resumeAt;
    private long open;

    /// End of one attempt, which the task has not stored yet.
    private record Ended(long callOffset, Delivery delivery, Outcome outcome) {}

    OpenDeliveries(int partition, KeyValueStore<byte[], byte[]> store, Courier courier, DeliverySchedule schedule,
            RandomGenerator random, CallbackLetter letters, Consumer<Record<byte[], byte[]>> deadLetters) {
        this.partition = partition;
        this.store = store;
        this.courier = courier;
        this.schedule = schedule;
        this.random = random;
        this.letters = letters;
        this.deadLetters = deadLetters;
        try (KeyValueIterator<byte[], byte[]> all = store.range(OpenDelivery.first('d'), OpenDelivery.first('e'))) {
            for (; all.hasNext(); all.next())
                open++;
        }
        courier.open(partition, open);
    }

    /// Opens a delivery, and begins its first attempt if there is room.
    void open(long callOffset, OpenDelivery delivery, byte[] body, long now) {
        byte[] key = OpenDelivery.due(now, callOffset);
        store.put(OpenDelivery.body(callOffset), body);
        store.put(key, delivery.write());
        count(1);
        begin(key, delivery, now);
    }

    /// Stores the outcomes since the last pass, and begins attempts that are due.
    void proceed(long now) {
        for (Ended one = ended.poll(); one != null; one = ended.poll())
            end(one, now);
        byte[] from = resumeAt == null ? OpenDelivery.first('d') : resumeAt;
        resumeAt = null;
        int seen = 0;
        try (KeyValueIterator<byte[], byte[]> due = store.range(from, OpenDelivery.due(now + 1, 0))) {
            while (due.hasNext()) {
                KeyValue<byte[], byte[]> one = due.next();
                if (seen++ == PER_PASS) {
                    resumeAt = one.key;
                    return;
                }
                if (!underWay.containsKey(OpenDelivery.callOffset(one.key)))
                    begin(one.key, OpenDelivery.read(one.value), now);
            }
        }
    }

    private void begin(byte[] key, OpenDelivery delivery, long now) {
        long callOffset = OpenDelivery.callOffset(key);
        Callback callback;
        try {
            callback = delivery.address();
        } catch (WireFormatException e) {
            giveUp(key, delivery, new Callback("", ""), "the header toolfleet-callback is no Callback", now);
            return;
        }
        Optional<Courier.Room> room = courier.room(callback, delivery.bytes());
        if (room.isEmpty())
            return;
        Delivery sent = new Delivery(new CallId(partition, callOffset), delivery.id(), callback, body(callOffset));
        underWay.put(callOffset, key);
        room.get().send(sent, outcome -> ended.add(new Ended(callOffset, sent, outcome)));
    }

    private void end(Ended one, long now) {
        byte[] key = requireNonNull(underWay.remove(one.callOffset()));
        OpenDelivery delivery = OpenDelivery.read(requireNonNull(store.get(key)));
        switch (one.outcome()) {
            case Outcome.Delivered() -> remove(key);
            case Outcome.Failed(String reason) -> retry(key, delivery.failedOnceMore(), one.delivery(), reason, now);
            case Outcome.Refused(String reason) -> giveUp(key, delivery.failedOnceMore(), one.delivery().callback(),
                    reason, now);
        }
    }

    private void retry(byte[] key, OpenDelivery delivery, Delivery sent, String reason, long now) {
        Optional<Duration> wait = schedule.after(delivery.failed(), Duration.ofMillis(now - delivery.since()), random);
        if (wait.isEmpty()) {
            giveUp(key, delivery, sent.callback(), reason + "; " + delivery.failed() + " attempts failed", now);
            return;
        }
        store.delete(key);
        store.put(OpenDelivery.due(now + wait.get().toMillis(), OpenDelivery.callOffset(key)), delivery.write());
    }

    private void giveUp(byte[] key, OpenDelivery delivery, Callback callback, String reason, long now) {
        long callOffset = OpenDelivery.callOffset(key);
        byte[] body = body(callOffset);
        deadLetters.accept(letters.of(delivery, partition, body, reason, now));
        remove(key);
        courier.gaveUp(new Delivery(new CallId(partition, callOffset), delivery.id(), callback, body), reason);
    }

    private void remove(byte[] key) {
        store.delete(key);
        store.delete(OpenDelivery.body(OpenDelivery.callOffset(key)));
        count(-1);
    }

    private byte[] body(long callOffset) {
        return requireNonNull(store.get(OpenDelivery.body(callOffset)), "body of a delivery");
    }

    private void count(int change) {
        open += change;
        courier.open(partition, open);
    }
}
