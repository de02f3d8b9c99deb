package dev.toolfleet.mcp.rpc;

import org.jspecify.annotations.Nullable;

/// Event of a stream of server-sent events.
///
/// @param type its name; `message` without one
/// @param data its lines, without the last end of a line; empty for an event that only names an id
/// @param id the last id that the stream has named; null for none
public record SseEvent(String type, String data, @Nullable String id) {
    /// Returns the text of an event of type `message` without an id. The data has no line breaks.
    public static String text(String data) {
        return "event: message\ndata: " + data + "\n\n";
    }
}
