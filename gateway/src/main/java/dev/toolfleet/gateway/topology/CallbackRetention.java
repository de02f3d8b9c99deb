package dev.toolfleet.gateway.topology;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/// Removes callbacks of calls that never got a final result, once the read model has removed the calls. It walks the
/// store in pieces.
final class CallbackRetention {
    /// Most callbacks that one run reads.
    static final int PER_RUN = 500;
    private static final Duration EVERY = Duration.ofMinutes(1);
    private static final ByteArraySerializer BYTES = new ByteArraySerializer();

    private final KeyValueStore<byte[], byte[]> callbacks;
    private final KeyValueStore<byte[], byte[]> calls;
    private byte @Nullable [] resumeAt;
    private long nextPass;

    CallbackRetention(KeyValueStore<byte[], byte[]> callbacks, KeyValueStore<byte[], byte[]> calls) {
        this.callbacks = callbacks;
        this.calls = calls;
    }

    /// Removes those of the next piece. Between two passes it does nothing.
    void expire(long now) {
        if (resumeAt == null && now < nextPass)
            return;
        List<byte[]> over = new ArrayList<>();
        byte[] from = resumeAt == null ? OpenDelivery.first('w') : resumeAt;
        resumeAt = null;
        nextPass = now + EVERY.toMillis();
        int seen = 0;
        try (KeyValueIterator<byte[], byte[]> waiting = callbacks.range(from, OpenDelivery.first('x'))) {
            while (waiting.hasNext()) {
                KeyValue<byte[], byte[]> one = waiting.next();
                if (seen++ == PER_RUN) {
                    resumeAt = one.key;
                    break;
                }
                long age = now - OpenDelivery.read(one.value).since();
                if (age > CallRetention.UNFINISHED.toMillis() && !isKept(OpenDelivery.callOffset(one.key)))
                    over.add(one.key);
            }
        }
        over.forEach(callbacks::delete);
    }

    private boolean isKept(long callOffset) {
        try (KeyValueIterator<byte[], byte[]> parts = calls.prefixScan(Part.keysOf(callOffset), BYTES)) {
            return parts.hasNext();
        }
    }
}
