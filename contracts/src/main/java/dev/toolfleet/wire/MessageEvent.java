package dev.toolfleet.wire;

import java.time.Instant;

import com.fasterxml.jackson.annotation.JsonProperty;
import org.jspecify.annotations.Nullable;

import static java.util.Objects.requireNonNull;

/// Change of a session's messages, on `session.message` by instanceKey. The session service applies the events of a
/// session in the order of their offsets.
///
/// @param type the kind of change
/// @param instanceKey the conversation; the record's key
/// @param agentName the agent
/// @param turnId the turn, if known
/// @param stepId the step, if known
/// @param expectedSeq the session's `seq` that the writer has seen; an event that expects another is refused
/// @param message the new message, of `append` and `replace`; the summary, of `compacted`
/// @param targetId the id of the changed message, of `replace` and `remove`; of the message in whose place the summary
///        stands, of `compacted`
/// @param token the token of the writer's lease
/// @param leaseMs the length of the lease in milliseconds, of `lease`; 0 gives it back
/// @param by the writer: a run, a person or a service; the holder, of `lease`
/// @param at the time of writing
/// @param compaction the other messages that change, of `compacted`
public record MessageEvent(Type type, String instanceKey, String agentName, @Nullable String turnId,
        @Nullable String stepId, @Nullable Long expectedSeq, @Nullable SessionMessage message,
        @Nullable String targetId, @Nullable Long token, @Nullable Long leaseMs, String by, Instant at,
        @Nullable MessageCompaction compaction) {
    /// Checks that each kind has its fields.
    public MessageEvent {
        requireNonNull(type, "type");
        requireNonNull(instanceKey, "instanceKey");
        requireNonNull(agentName, "agentName");
        requireNonNull(by, "by");
        requireNonNull(at, "at");
        if (instanceKey.length() > ToolCall.MAX_INSTANCE_KEY)
            throw new IllegalArgumentException(
                    "'instanceKey' has more than " + ToolCall.MAX_INSTANCE_KEY + " characters");
        bounded("agentName", agentName);
        bounded("by", by);
        bounded("stepId", stepId);
        bounded("targetId", targetId);
        if (message == null && (type == Type.APPEND || type == Type.REPLACE))
            throw new IllegalArgumentException("'message' is missing");
        if (targetId == null && (type == Type.REPLACE || type == Type.REMOVE))
            throw new IllegalArgumentException("'targetId' is missing");
        if ((message == null) != (targetId == null) && type == Type.COMPACTED)
            throw new IllegalArgumentException("'message' and 'targetId' belong together");
        if (compaction == null && type == Type.COMPACTED)
            throw new IllegalArgumentException("'compaction' is missing");
        if (leaseMs == null && type == Type.LEASE)
            throw new IllegalArgumentException("'leaseMs' is missing");
        if (leaseMs != null && leaseMs < 0)
            throw new IllegalArgumentException("'leaseMs' is " + leaseMs + ", and must be 0 or more");
    }

    /// Makes an event of any type but `compacted`.
    public MessageEvent(Type type, String instanceKey, String agentName, @Nullable String turnId,
            @Nullable String stepId, @Nullable Long expectedSeq, @Nullable SessionMessage message,
            @Nullable String targetId, @Nullable Long token, @Nullable Long leaseMs, String by, Instant at) {
        this(type, instanceKey, agentName, turnId, stepId, expectedSeq, message, targetId, token, leaseMs, by, at,
                null);
    }

    /// Reports and states repeat these texts.
    private static void bounded(String field, @Nullable String value) {
        if (value != null && value.length() > ToolCall.MAX_ID)
            throw new IllegalArgumentException("'" + field + "' has more than " + ToolCall.MAX_ID + " characters");
    }

    /// Makes the event that appends a message.
    public static MessageEvent append(String instanceKey, String agentName, SessionMessage message, String by) {
        return new MessageEvent(Type.APPEND, instanceKey, agentName, null, message.source().stepId(), null, message,
                null, null, null, by, message.createdAt());
    }

    /// Returns the same event, which is refused unless the session has this `seq`.
    public MessageEvent expecting(long seq) {
        return new MessageEvent(type, instanceKey, agentName, turnId, stepId, seq, message, targetId, token, leaseMs,
                by, at, compaction);
    }

    /// Returns the same event with another message.
    public MessageEvent with(SessionMessage other) {
        return new MessageEvent(type, instanceKey, agentName, turnId, stepId, expectedSeq, other, targetId, token,
                leaseMs,
                by, at, compaction);
    }

    /// Returns the same event under a lease.
    public MessageEvent under(long leaseToken) {
        return new MessageEvent(type, instanceKey, agentName, turnId, stepId, expectedSeq, message, targetId,
                leaseToken,
                leaseMs, by, at, compaction);
    }

    /// Kind of change. A later version's kind is refused, since it may change messages.
    public enum Type {
        /// Adds the message at the end; one with a known id is ignored.
        @JsonProperty("append")
        APPEND,
        /// Puts the message in the place of the target.
        @JsonProperty("replace")
        REPLACE,
        /// Removes the target.
        @JsonProperty("remove")
        REMOVE,
        /// Removes all messages.
        @JsonProperty("truncate")
        TRUNCATE,
        /// Takes, renews or gives back the right to write the turn.
        @JsonProperty("lease")
        LEASE,
        /// Requests a compaction by the session service; changes no message.
        @JsonProperty("compact")
        COMPACT,
        /// Replaces messages by shorter ones and by a summary.
        @JsonProperty("compacted")
        COMPACTED
    }
}
