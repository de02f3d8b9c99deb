package dev.toolfleet.bundle;

import java.util.Map;

import org.jspecify.annotations.Nullable;

/// The positions of one document's keys and values.
///
/// @param document where the document begins
/// @param values where each value begins
/// @param keys where the key of each value begins; list items have none
public record SourceMap(SourcePosition document, Map<DocPath, SourcePosition> values,
        Map<DocPath, SourcePosition> keys) {
    /// For a resource that was not read from a file: every position is unknown.
    public static final SourceMap NONE = new SourceMap(SourcePosition.UNKNOWN, Map.of(), Map.of());

    /// Where the value at `path` begins; for a value that is absent, where its nearest present ancestor begins.
    public SourcePosition value(DocPath path) {
        for (@Nullable
        DocPath at = path; at != null; at = at.parent()) {
            SourcePosition position = values.get(at);
            if (position != null) {
                return position;
            }
        }
        return document;
    }

    /// Where the key of the value at `path` begins; where it has no key, where the value begins.
    public SourcePosition key(DocPath path) {
        SourcePosition position = keys.get(path);
        return position != null ? position : value(path);
    }
}
