package dev.toolfleet.worker.catalog;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import dev.toolfleet.json.Json;
import dev.toolfleet.wire.ToolCatalogItem;
import dev.toolfleet.worker.state.News;
import dev.toolfleet.worker.state.TopicView;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.ObjectReader;

/// View of catalog contents by digest. Written by the follower, read by calls.
public final class CatalogContents implements TopicView {
    private static final ObjectReader READER = Json.MAPPER.readerForListOf(ToolCatalogItem.class);

    private final Map<String, CatalogContent> byDigest = new ConcurrentHashMap<>();
    private final News news;

    /// Creates a view that signals each change to `news`.
    public CatalogContents(News news) {
        this.news = news;
    }

    @Override
    public void apply(int partition, String key, byte @Nullable [] value, long time) {
        if (value == null) {
            byDigest.remove(key);
        } else {
            byDigest.computeIfAbsent(key, digest -> CatalogContent.of(digest, READER.readValue(value)));
        }
        news.signal();
    }

    @Override
    public void forget(int partition) {
        byDigest.clear();
    }

    @Nullable
    CatalogContent get(String digest) {
        return byDigest.get(digest);
    }
}
