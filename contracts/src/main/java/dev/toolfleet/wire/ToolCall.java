package dev.toolfleet.wire;

import java.time.Instant;
import java.util.List;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

import static java.util.Objects.requireNonNull;
import static java.util.Objects.requireNonNullElseGet;

/// Call of a tool by an agent's model, on `tool.call`.
///
/// @param id the model's tool-call id; unique within its step at best
/// @param name the name that the model called, such as `bash__exec`
/// @param args the model's arguments; an object unless the model erred
/// @param instanceKey the conversation; the record's key; calls of one instance run in order
/// @param agentName the agent whose model called
/// @param turnId the turn; without it or `stepId`, and without `idempotencyKey`, the call is identified by its record
///        alone
/// @param stepId the step; its catalog lists the callable tools
/// @param stepIndex the step's number in its turn
/// @param traceId for correlation; the W3C context travels in the headers
/// @param userId the person for whom the agent acts
/// @param channelId the channel of that person
/// @param message the assistant message that holds the call
/// @param deadline the instant after which the caller no longer wants an answer
/// @param catalogDigest the catalog content that the model saw, when the caller knows it
/// @param metadata free; middlewares may read and change it
/// @param callers the agents that wait for this agent's turn, the first caller first: `callers` of the [AgentEvent]
///        that began it
/// @param idempotencyKey the caller's own name of the call, which stands for turn, step and id in its identity; see
///        [#isIdempotencyKey]
public record ToolCall(String id, String name, JsonNode args, String instanceKey, @Nullable String agentName,
        @Nullable String turnId, @Nullable String stepId, @Nullable Integer stepIndex, @Nullable String traceId,
        @Nullable String userId, @Nullable String channelId, @Nullable JsonNode message, @Nullable Instant deadline,
        @Nullable String catalogDigest, @Nullable ObjectNode metadata, @Nullable List<AgentAddress> callers,
        @Nullable String idempotencyKey) {

    /// The longest `instanceKey` that is accepted, in UTF-16 units.
    public static final int MAX_INSTANCE_KEY = 1024;
    /// The longest id or name that is accepted, in UTF-16 units: results, errors and journal records repeat them.
    public static final int MAX_ID = 1024;
    /// The longest `idempotencyKey` that is accepted.
    public static final int MAX_IDEMPOTENCY_KEY = 255;
    /// The turn of clients that know no turns, which never ends: a gateway gives it to calls of MCP clients.
    public static final String ENDLESS_TURN = "mcp";

    /// Checks that the call is named; a call without arguments passes an empty object.
    public ToolCall {
        requireNonNull(id, "id");
        requireNonNull(name, "name");
        requireNonNull(instanceKey, "instanceKey");
        args = requireNonNullElseGet(args, JsonNodeFactory.instance::objectNode);
        if (callers != null)
            callers = List.copyOf(callers);
    }

    /// Makes a call of a turn for which no other agent waits.
    public ToolCall(String id, String name, JsonNode args, String instanceKey, @Nullable String agentName,
            @Nullable String turnId, @Nullable String stepId, @Nullable Integer stepIndex, @Nullable String traceId,
            @Nullable String userId, @Nullable String channelId, @Nullable JsonNode message,
            @Nullable Instant deadline, @Nullable String catalogDigest, @Nullable ObjectNode metadata) {
        this(id, name, args, instanceKey, agentName, turnId, stepId, stepIndex, traceId, userId, channelId, message,
                deadline, catalogDigest, metadata, null, null);
    }

    /// Makes a call with only the required fields.
    public static ToolCall of(String id, String name, JsonNode args, String instanceKey) {
        return new ToolCall(id, name, args, instanceKey, null, null, null, null, null, null, null, null, null, null,
                null);
    }

    /// Returns the same call in a step of an agent.
    public ToolCall inStep(String agent, String turn, String step, int index) {
        return new ToolCall(id, name, args, instanceKey, agent, turn, step, index, traceId, userId, channelId, message,
                deadline, catalogDigest, metadata, callers, idempotencyKey);
    }

    /// Returns the same call in a turn that this event began: for the same person, in the same trace, and for the same
    /// callers.
    public ToolCall inTurnOf(AgentEvent event) {
        return new ToolCall(id, name, args, instanceKey, agentName, turnId, stepId, stepIndex,
                event.traceId() == null ? traceId : event.traceId(), event.userId() == null ? userId : event.userId(),
                event.channelId() == null ? channelId : event.channelId(), message, deadline, catalogDigest, metadata,
                event.callers(), idempotencyKey);
    }

    /// Returns the same call with other arguments and metadata, as a middleware left them.
    public ToolCall with(JsonNode newArgs, @Nullable ObjectNode newMetadata) {
        return new ToolCall(id, name, newArgs, instanceKey, agentName, turnId, stepId, stepIndex, traceId, userId,
                channelId, message, deadline, catalogDigest, newMetadata, callers, idempotencyKey);
    }

    /// Returns the same call for a person in a channel.
    public ToolCall forCaller(@Nullable String user, @Nullable String channel) {
        return new ToolCall(id, name, args, instanceKey, agentName, turnId, stepId, stepIndex, traceId, user, channel,
                message, deadline, catalogDigest, metadata, callers, idempotencyKey);
    }

    /// Returns the same call with a deadline.
    public ToolCall until(@Nullable Instant newDeadline) {
        return new ToolCall(id, name, args, instanceKey, agentName, turnId, stepId, stepIndex, traceId, userId,
                channelId,
                message, newDeadline, catalogDigest, metadata, callers, idempotencyKey);
    }

    /// Returns the same call without arguments, message and metadata: enough to answer it.
    public ToolCall bare() {
        return new ToolCall(id, name, JsonNodeFactory.instance.objectNode(), instanceKey, agentName, turnId, stepId,
                stepIndex, traceId, userId, channelId, null, deadline, catalogDigest, null, null, idempotencyKey);
    }

    /// Returns the same call under a name of the caller's: every call of its instance and agent with this key is the
    /// same call.
    ///
    /// @throws IllegalArgumentException when the key is none
    public ToolCall named(String key) {
        if (!isIdempotencyKey(key))
            throw new IllegalArgumentException("idempotencyKey " + idempotencyKeyRule() + ", got '" + key + "'");
        return new ToolCall(id, name, args, instanceKey, agentName, turnId, stepId, stepIndex, traceId, userId,
                channelId, message, deadline, catalogDigest, metadata, callers, key);
    }

    /// True for 1 to [#MAX_IDEMPOTENCY_KEY] printable ASCII characters, space to tilde.
    public static boolean isIdempotencyKey(String key) {
        return !key.isEmpty() && key.length() <= MAX_IDEMPOTENCY_KEY && key.chars().allMatch(c -> c >= ' ' && c <= '~');
    }

    /// The rule of [#isIdempotencyKey] as the end of a sentence.
    public static String idempotencyKeyRule() {
        return "must be 1 to " + MAX_IDEMPOTENCY_KEY + " printable ASCII characters";
    }

    /// Returns the arguments as an object; empty when they are no object.
    public ObjectNode argsObject() {
        return args instanceof ObjectNode object ? object : JsonNodeFactory.instance.objectNode();
    }
}
