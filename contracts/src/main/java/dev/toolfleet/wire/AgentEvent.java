package dev.toolfleet.wire;

import java.time.Instant;
import java.util.List;

import com.fasterxml.jackson.annotation.JsonEnumDefaultValue;
import com.fasterxml.jackson.annotation.JsonProperty;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import static java.util.Objects.requireNonNull;

/// Event from one agent to another, on `agent.event` by the target's instanceKey.
///
/// @param id unique; a target that has seen it does nothing
/// @param from the sender; absent when a connector or an operator sends it
/// @param to the target
/// @param name the subject, chosen by the sender, such as `agent.request`
/// @param payload the content: of the agents tool `{input}`; the answer in a `delegate_result`
/// @param error with a `delegate_result`: the work failed
/// @param correlationId the same in a `delegate` and its `delegate_result`
/// @param replyTo the place for the answer; with a `delegate`, and only there
/// @param callers with a `delegate` whose sender waits: the agents that wait for its end, the first caller first, the
///        sender last. The target's own calls carry it on ([ToolCall#callers]), so that a circle is found
/// @param traceId of the sender's turn, which the target's turn continues
/// @param turnId the sender's turn
/// @param userId the person for whom the sender acts; the target acts for the same
/// @param channelId the channel of that person
/// @param expiresAt the time at which the sender stops waiting for the answer, as far as it knows
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

    /// Kind of an event.
    public enum Type {
        /// Requests work; the answer goes to `replyTo`.
        @JsonProperty("delegate")
        DELEGATE,
        /// Answers a `delegate` of the target.
        @JsonProperty("delegate_result")
        DELEGATE_RESULT,
        /// Informs the target; no answer is expected.
        @JsonProperty("event")
        EVENT,
        /// Ends the instance: its runtime finishes its turn, and removes it from `agent.instance`.
        @JsonProperty("shutdown")
        SHUTDOWN,
        /// A type of a later version. Every type that this version does not know is read as this. Never written.
        @JsonEnumDefaultValue
        @JsonProperty("unknown")
        UNKNOWN
    }
}
