package dev.toolfleet.catalog.assemble;

import java.nio.charset.StandardCharsets;

import dev.toolfleet.json.Digests;
import dev.toolfleet.topic.Topic;

/// Content of a record of `tool.catalog.content`.
///
/// @param json the items as canonical JSON
/// @param digest of its UTF-8 bytes, the record's key
/// @param size of these bytes
public record CatalogContent(String json, String digest, int size) {
    /// The room for key, headers and framing of the record.
    private static final int FRAMING_BYTES = 2048;
    /// The largest content that fits into its topic.
    static final int MAX_SIZE = Topic.CATALOG_CONTENT.maxRecordBytes() - FRAMING_BYTES;

    static CatalogContent of(String json) {
        return new CatalogContent(json, Digests.sha256(json), json.getBytes(StandardCharsets.UTF_8).length);
    }

    boolean fits() {
        return size <= MAX_SIZE;
    }

    /// Returns the record's value.
    public byte[] bytes() {
        return json.getBytes(StandardCharsets.UTF_8);
    }
}
