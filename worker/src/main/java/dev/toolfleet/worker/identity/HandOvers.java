package dev.toolfleet.worker.identity;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import dev.toolfleet.wire.CallIntent;
import dev.toolfleet.wire.HandOver;
import dev.toolfleet.wire.ResumedCall;
import dev.toolfleet.wire.WireCodec;
import dev.toolfleet.worker.state.News;
import dev.toolfleet.worker.state.TopicView;
import org.jspecify.annotations.Nullable;

/// What earlier owners of this worker's partitions say of the calls that they had started and not ended: a view of
/// `tool.call.resumed` that keeps what answers an open intent, and nothing else. Thread-safe.
public final class HandOvers implements TopicView {
    private static final WireCodec<ResumedCall> CODEC = WireCodec.of(ResumedCall.class);

    /// The open intents of one partition and what was said of them, by call identity.
    private record Expected(Map<String, CallIntent> intents, Map<String, HandOver> said) {}

    private final Map<Integer, Expected> partitions = new ConcurrentHashMap<>();
    private final News news = new News();

    /// Nothing is expected yet.
    public HandOvers() {}

    /// An assignment begins. Comes before the partition is followed.
    ///
    /// @param intents those that an earlier owner left open
    public void opened(int partition, Map<String, CallIntent> intents) {
        partitions.put(partition, new Expected(Map.copyOf(intents), new ConcurrentHashMap<>()));
    }

    /// The assignment has ended.
    public void closed(int partition) {
        partitions.remove(partition);
    }

    @Override
    public void apply(int partition, String key, byte @Nullable [] value, long time) {
        Expected expected = partitions.get(partition);
        if (expected == null || value == null)
            return;
        HandOver said = CODEC.read(value).handOver();
        if (said == null)
            return;
        CallIntent intent = expected.intents().get(said.identity());
        if (intent == null || !intent.isMeantBy(said))
            return;
        expected.said().put(said.identity(), said);
        news.signal();
    }

    /// Nothing: an assignment that has begun since expects news already, and [#closed] has ended the one before.
    @Override
    public void forget(int partition) {}

    /// What is said of an open call.
    public @Nullable HandOver of(int partition, String identity) {
        Expected expected = partitions.get(partition);
        return expected == null ? null : expected.said().get(identity);
    }

    /// The same, waited for; null when nothing came in time.
    public @Nullable HandOver await(int partition, String identity, Duration atMost) throws InterruptedException {
        return news.await(() -> of(partition, identity), atMost);
    }
}
