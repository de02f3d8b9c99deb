package dev.toolfleet.bundle;

import java.util.Map;

import org.jspecify.annotations.Nullable;

/// Positions of one document's keys and values.
///
/// @param document the start of the document
/// @param values the start of each value
/// @param keys the start of the key of each value; list items have none
public record SourceMap(SourcePosition document, Map<DocPath, SourcePosition> values,
        Map<DocPath, SourcePosition> keys) {
    /// For a resource that was not read from a file: every position is unknown.
    public static final SourceMap NONE = new SourceMap(SourcePosition.UNKNOWN, Map.of(), Map.of());

    /// Returns the start of the value at `path`; for an absent value, the start of its nearest present ancestor.
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

    /// Returns the start of the key of the value at `path`; without a key, the start of the value.
    public SourcePosition key(DocPath path) {
        SourcePosition position = keys.get(path);
        return position != null ? position : value(path);
    }
}
