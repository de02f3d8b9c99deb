package dev.toolfleet.worker.catalog;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import dev.toolfleet.wire.StepCatalog;
import dev.toolfleet.wire.WireCodec;
import dev.toolfleet.worker.state.News;
import dev.toolfleet.worker.state.TopicView;
import org.jspecify.annotations.Nullable;

/// The newest step catalog of each instance and agent of the followed partitions. Written by the follower, read by
/// calls.
public final class StepCatalogs implements TopicView {
    private static final WireCodec<StepCatalog> CODEC = WireCodec.of(StepCatalog.class);

    private record Held(int partition, StepCatalog catalog) {}

    private final Map<String, Held> byKey = new ConcurrentHashMap<>();
    private final News news;

    /// A view that tells `news` of each change.
    public StepCatalogs(News news) {
        this.news = news;
    }

    @Override
    public void apply(int partition, String key, byte @Nullable [] value, long time) {
        if (value == null) {
            byKey.remove(key);
        } else {
            byKey.put(key, new Held(partition, CODEC.read(value)));
        }
        news.signal();
    }

    @Override
    public void forget(int partition) {
        byKey.values().removeIf(held -> held.partition() == partition);
    }

    /// The newest step of an instance's agent; null when none is known.
    @Nullable
    StepCatalog newest(String instanceKey, String agentName) {
        Held held = byKey.get(StepCatalog.key(instanceKey, agentName));
        return held == null ? null : held.catalog();
    }
}
