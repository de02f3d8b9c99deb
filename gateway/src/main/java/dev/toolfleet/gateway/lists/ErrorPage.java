package dev.toolfleet.gateway.lists;

import java.util.List;

import dev.toolfleet.gateway.calls.TopicPosition;
import dev.toolfleet.wire.ToolErrorEvent;

/// Part of the errors.
///
/// @param errors by the time of their occurrence
/// @param next the position to continue behind
/// @param complete true if everything that was there has been read
public record ErrorPage(List<ToolErrorEvent> errors, TopicPosition next, boolean complete) {
    /// Copies the errors.
    public ErrorPage {
        errors = List.copyOf(errors);
    }
}
