package dev.toolfleet.wire;

import java.time.Instant;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import static java.util.Objects.requireNonNull;

/// Message of a session, in a [MessageEvent].
///
/// @param id names the message in its session
/// @param data the message as models receive it: `role` and `content`, in the form of the AI SDK's `ModelMessage`
/// @param metadata free; compaction and repair add fields
/// @param createdAt the time of writing
/// @param source the author
public record SessionMessage(String id, JsonNode data, @Nullable ObjectNode metadata, Instant createdAt,
        MessageSource source) {
    /// Checks that only metadata is absent.
    public SessionMessage {
        requireNonNull(id, "id");
        if (data == null || data.isMissingNode() || data.isNull())
            throw new NullPointerException("data");
        requireNonNull(createdAt, "createdAt");
        requireNonNull(source, "source");
        if (id.length() > ToolCall.MAX_ID)
            throw new IllegalArgumentException("'id' has more than " + ToolCall.MAX_ID + " characters");
    }
}
