package dev.toolfleet.gateway.calls;

import java.util.List;

/// Events of a call behind an event id, in the order of the log.
///
/// @param events may be empty: nothing happened while the reader waited
/// @param ended true if no later event follows
public record CallEvents(List<CallEvent> events, boolean ended) {
    /// Copies the events.
    public CallEvents {
        events = List.copyOf(events);
    }
}
