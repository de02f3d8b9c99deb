package dev.toolfleet.wire;

import java.util.List;

import static java.util.Objects.requireNonNull;

/// Part of a [MessageEvent] of type `compacted`: the messages that became shorter or were left out.
///
/// @param removed ids of messages that are left out
/// @param shortened messages, each in the place of the one with its id
public record MessageCompaction(List<String> removed, List<SessionMessage> shortened) {
    /// Copies the lists.
    public MessageCompaction {
        removed = List.copyOf(requireNonNull(removed, "removed"));
        shortened = List.copyOf(requireNonNull(shortened, "shortened"));
        for (String id : removed) {
            if (id.length() > ToolCall.MAX_ID)
                throw new IllegalArgumentException("an id in 'removed' has more than " + ToolCall.MAX_ID
                        + " characters");
        }
    }
}
