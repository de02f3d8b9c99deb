package dev.toolfleet.bench.verdict;

import java.util.List;

/// Results and messages of sessions.
///
/// @param owed a message for each result that is not replayed, in the order of the results of its session
/// @param written messages of results, in the order of the topic
public record SessionFacts(List<Owed> owed, List<Message> written) {
    /// A run without session services.
    public static final SessionFacts NONE = new SessionFacts(List.of(), List.of());

    /// Copies the lists.
    public SessionFacts {
        owed = List.copyOf(owed);
        written = List.copyOf(written);
    }

    /// Message that a result is owed.
    ///
    /// @param session instance and agent
    /// @param id of the message, which follows from the call's identity
    /// @param callId of the call
    public record Owed(String session, String id, String callId) {}

    /// Message on the topic.
    ///
    /// @param session instance and agent
    /// @param id of the message
    public record Message(String session, String id) {}
}
