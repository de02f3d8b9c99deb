package dev.toolfleet.worker.identity;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import dev.toolfleet.wire.CallIntent;
import dev.toolfleet.wire.HandOver;
import dev.toolfleet.wire.ResumedCall;
import dev.toolfleet.wire.WireCodec;
import dev.toolfleet.worker.state.ChangeSignal;
import dev.toolfleet.worker.state.TopicView;
import org.jspecify.annotations.Nullable;

/// View of `tool.call.resumed` that keeps the hand-overs of earlier owners: their answers to open intents, and nothing
/// else. Thread-safe.
public final class HandOvers implements TopicView {
    private static final WireCodec<ResumedCall> CODEC = WireCodec.of(ResumedCall.class);

    /// The open intents of one partition with their hand-overs, by call identity.
    private record Expected(Map<String, CallIntent> intents, Map<String, HandOver> said) {}

    private final Map<Integer, Expected> partitions = new ConcurrentHashMap<>();
    private final ChangeSignal news = new ChangeSignal();

    /// Creates an empty view.
    public HandOvers() {}

    /// Begins an assignment. Must come before the partition is followed.
    ///
    /// @param intents those that an earlier owner left open
    public void opened(int partition, Map<String, CallIntent> intents) {
        partitions.put(partition, new Expected(Map.copyOf(intents), new ConcurrentHashMap<>()));
    }

    /// Ends an assignment.
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

    /// Does nothing: an assignment that has begun meanwhile expects hand-overs already, and [#closed] has ended the one
    /// before.
    @Override
    public void forget(int partition) {}

    /// Returns the hand-over of an open call; null if there is none.
    public @Nullable HandOver of(int partition, String identity) {
        Expected expected = partitions.get(partition);
        return expected == null ? null : expected.said().get(identity);
    }

    /// Waits for the hand-over of an open call. Returns null if it does not come in time.
    public @Nullable HandOver await(int partition, String identity, Duration atMost) throws InterruptedException {
        return news.await(() -> of(partition, identity), atMost);
    }
}
