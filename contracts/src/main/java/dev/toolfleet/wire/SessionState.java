package dev.toolfleet.wire;

import java.time.Instant;
import java.util.List;

import org.jspecify.annotations.Nullable;

import static java.util.Objects.requireNonNull;
import static java.util.Objects.requireNonNullElse;

/// State of the messages of an instance's agent, on `session.state` by `instanceKey/agentName`.
///
/// @param instanceKey the conversation
/// @param agentName the agent
/// @param seq the number of applied events; an event may expect it
/// @param messages the number of messages
/// @param tokens the estimated tokens of the messages
/// @param usableTokens the tokens of the model's window without the reserve for its answer
/// @param status the use of the model's window: `safe`, `warning`, `critical` or `exceeded`
/// @param openCalls calls of the messages without a final result
/// @param digest a digest of all applied events: equal digests mean equal messages
/// @param lease the right to write the turn, of a run that holds it
/// @param lastToken the token of the newest lease, 0 before the first
/// @param updatedAt the time of the newest event
public record SessionState(String instanceKey, String agentName, long seq, long messages, long tokens,
        long usableTokens, String status,
        @Nullable List<AwaitedCall> openCalls, String digest, @Nullable SessionLease lease, long lastToken,
        Instant updatedAt) {
    /// Checks that the state is whole.
    public SessionState {
        requireNonNull(instanceKey, "instanceKey");
        requireNonNull(agentName, "agentName");
        requireNonNull(status, "status");
        requireNonNull(digest, "digest");
        requireNonNull(updatedAt, "updatedAt");
        if (openCalls != null)
            openCalls = List.copyOf(openCalls);
    }

    /// Returns the key of a session's records.
    public static String key(String instanceKey, String agentName) {
        return instanceKey + "/" + agentName;
    }

    /// Returns the same state with other open calls.
    public SessionState awaiting(List<AwaitedCall> calls) {
        return new SessionState(instanceKey, agentName, seq, messages, tokens, usableTokens, status,
                calls.isEmpty() ? null : calls,
                digest, lease, lastToken, updatedAt);
    }

    /// Returns the open calls; empty when there are none.
    public List<AwaitedCall> awaited() {
        return requireNonNullElse(openCalls, List.of());
    }
}
