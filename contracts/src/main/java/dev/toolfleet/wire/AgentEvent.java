package dev.toolfleet.wire;

import java.time.Instant;
import java.util.List;

import com.fasterxml.jackson.annotation.JsonEnumDefaultValue;
import com.fasterxml.jackson.annotation.JsonProperty;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import static java.util.Objects.requireNonNull;

/// Something that one agent says to another, on `agent.event` by the target's instanceKey.
///
/// @param id unique; a target that has seen it does nothing
/// @param from who says it; absent when no agent does, but a connector or an operator
/// @param to who is meant
/// @param name what the event is about, a word of the sender's such as `agent.request`
/// @param payload what is said: of the agents tool `{input}`; the answer in a `delegate_result`
/// @param error with a `delegate_result`: the work failed
/// @param correlationId the same in a `delegate` and its `delegate_result`
/// @param replyTo where the answer goes; with a `delegate`, and only there
/// @param callers with a `delegate` whose sender waits: who waits for its end, the first caller first, the sender last.
///        The target's own calls carry it on ([ToolCall#callers]), so that a circle is found
/// @param traceId of the sender's turn, which the target's turn goes on with
/// @param turnId the sender's turn
/// @param userId the person for whom the sender acts; the target acts for the same
/// @param channelId where that person is
/// @param expiresAt when nobody waits for the answer any more, as far as the sender knows
/// @param metadata free
public record AgentEvent(String id, Type type, @Nullable AgentAddress from, AgentAddress to, @Nullable String name,
        @Nullable JsonNode payload, @Nullable ToolError error, @Nullable String correlationId,
        @Nullable AgentReplyTo replyTo, @Nullable List<AgentAddress> callers, @Nullable String traceId,
        @Nullable String turnId, @Nullable String userId, @Nullable String channelId, Instant createdAt,
        @Nullable Instant expiresAt, @Nullable ObjectNode metadata) {

    /// Checks that the event can be delivered and a request answered.
    public AgentEvent {
        requireNonNull(id, "id");
        requireNonNull(type, "type");
        requireNonNull(to, "to");
        requireNonNull(createdAt, "createdAt");
        if (type != Type.UNKNOWN && (replyTo != null) != (type == Type.DELEGATE))
            throw new IllegalArgumentException("a delegate and 'replyTo' come together");
        if (error != null && type != Type.DELEGATE_RESULT && type != Type.UNKNOWN)
            throw new IllegalArgumentException("'error' goes with a delegate_result only");
        if (callers != null)
            callers = List.copyOf(callers);
    }

    /// What is wanted of the target.
    public enum Type {
        /// Work, whose answer goes where `replyTo` says.
        @JsonProperty("delegate")
        DELEGATE,
        /// The answer to a `delegate` of the target's.
        @JsonProperty("delegate_result")
        DELEGATE_RESULT,
        /// To know something; no answer is awaited.
        @JsonProperty("event")
        EVENT,
        /// To end: the instance's runtime finishes its turn, and removes it from `agent.instance`.
        @JsonProperty("shutdown")
        SHUTDOWN,
        /// A type of a later version, as which every one is read that this version does not know. Never written.
        @JsonEnumDefaultValue
        @JsonProperty("unknown")
        UNKNOWN
    }
}
