package dev.toolfleet.worker.catalog;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import dev.toolfleet.json.Json;
import dev.toolfleet.wire.ToolCatalogItem;
import dev.toolfleet.worker.state.ChangeSignal;
import dev.toolfleet.worker.state.TopicView;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.ObjectReader;

/// View of catalog contents by digest. Written by the follower, read by calls.
public final class CatalogContentView implements TopicView {
    private static final ObjectReader READER = Json.MAPPER.readerForListOf(ToolCatalogItem.class);

    private final Map<String, CatalogTools> byDigest = new ConcurrentHashMap<>();
    private final ChangeSignal news;

    /// Creates a view that signals each change to `news`.
    public CatalogContentView(ChangeSignal news) {
        this.news = news;
    }

    @Override
    public void apply(int partition, String key, byte @Nullable [] value, long time) {
        if (value == null) {
            byDigest.remove(key);
        } else {
            byDigest.computeIfAbsent(key, digest -> CatalogTools.of(digest, READER.readValue(value)));
        }
        news.signal();
    }

    @Override
    public void forget(int partition) {
        byDigest.clear();
    }

    @Nullable
    CatalogTools get(String digest) {
        return byDigest.get(digest);
    }
}
