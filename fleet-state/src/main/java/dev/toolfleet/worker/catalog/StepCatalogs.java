package dev.toolfleet.worker.catalog;

import java.util.Iterator;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import dev.toolfleet.wire.StepCatalog;
import dev.toolfleet.worker.catalog.DecodedSteps.Encoded;
import dev.toolfleet.worker.state.ChangeSignal;
import dev.toolfleet.worker.state.TopicView;
import org.jspecify.annotations.Nullable;

/// View of the newest step catalog of each instance and agent in the followed partitions. Keeps the bytes of each
/// record, and the decoded form of the ones used last. Written by the follower, read by calls.
public final class StepCatalogs implements TopicView {
    /// Enough for records of about 1.5 KB from some 2,500 instances at work.
    private static final long DECODED_BYTES = 4 << 20;

    private final Map<String, Encoded> byKey = new ConcurrentHashMap<>();
    private final DecodedSteps decoded;
    private final ChangeSignal news;

    /// Creates a view that signals each change to `news`.
    public StepCatalogs(ChangeSignal news) {
        this(news, DECODED_BYTES);
    }

    /// @param decodedBytes of the records whose decoded form is kept
    StepCatalogs(ChangeSignal news, long decodedBytes) {
        this.news = news;
        this.decoded = new DecodedSteps(decodedBytes);
    }

    /// Decodes the record once. If that fails, the record before it stays. Calls of the step, which come next, find it
    /// decoded.
    @Override
    public void apply(int partition, String key, byte @Nullable [] value, long time) {
        Encoded step = value == null ? null : new Encoded(partition, value);
        if (step != null)
            decoded.of(step);
        Encoded before = step == null ? byKey.remove(key) : byKey.put(key, step);
        if (before != null)
            decoded.forget(before);
        news.signal();
    }

    @Override
    public void forget(int partition) {
        for (Iterator<Encoded> each = byKey.values().iterator(); each.hasNext();) {
            Encoded step = each.next();
            if (step.partition() == partition) {
                each.remove();
                decoded.forget(step);
            }
        }
    }

    /// Returns the newest step catalog of an instance's agent; null if none is known.
    @Nullable
    StepCatalog newest(String instanceKey, String agentName) {
        Encoded step = byKey.get(StepCatalog.key(instanceKey, agentName));
        return step == null ? null : decoded.of(step);
    }

    /// Number of bytes of the records whose decoded form is kept.
    long decodedBytes() {
        return decoded.bytes();
    }
}
