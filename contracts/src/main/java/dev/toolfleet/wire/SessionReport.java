package dev.toolfleet.wire;

import java.time.Instant;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

import static java.util.Objects.requireNonNull;

/// Report about a session, on `session.report` by instanceKey: a refused event, an unknown target, a repair, a
/// compaction, or a change of the window's status.
///
/// @param instanceKey the conversation
/// @param agentName the agent
/// @param kind `refused`, `target-not-found`, `repaired`, `compacted` or `window`
/// @param code the error's code, if it is one
/// @param message one sentence for a person
/// @param seq the session's `seq` at that time
/// @param detail the figures of the report
/// @param at the time of the report
public record SessionReport(String instanceKey, String agentName, String kind, @Nullable String code, String message,
        long seq, @Nullable ObjectNode detail, Instant at) {
    /// Checks that the report is whole.
    public SessionReport {
        requireNonNull(instanceKey, "instanceKey");
        requireNonNull(agentName, "agentName");
        requireNonNull(kind, "kind");
        requireNonNull(message, "message");
        requireNonNull(at, "at");
    }
}
