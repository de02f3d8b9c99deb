package dev.toolfleet.mcp.protocol;

import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Optional;

import dev.toolfleet.mcp.rpc.McpJson;
import dev.toolfleet.mcp.rpc.RpcError;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// State of a task at an instant, of the extension `io.modelcontextprotocol/tasks` or of the experimental tasks of
/// 2025-11-25.
///
/// @param taskId the server's name for it
/// @param status its state
/// @param message a sentence about it; null for none
/// @param createdAt the time of its creation
/// @param updatedAt the time of its last change
/// @param timeToLive the time from its creation for which the server keeps it; null for ever
/// @param pollInterval the time that the server wants between two looks; null for any
/// @param payload result, error or questions, by state
public record TaskSnapshot(String taskId, TaskStatus status, @Nullable String message, Instant createdAt,
        Instant updatedAt, @Nullable Duration timeToLive, @Nullable Duration pollInterval, Payload payload) {
    /// Result, error or questions of a task.
    public sealed interface Payload {
        /// Nothing yet, or nothing any more.
        record None() implements Payload {}

        /// Result of a task that is completed.
        record Reply(McpReply reply) implements Payload {}

        /// Error of a task that has failed.
        record Failure(RpcError error) implements Payload {}

        /// Questions of a task that waits for answers.
        record Questions(InputQuestions questions) implements Payload {}
    }

    /// Reads a task of either generation; nothing if the value is none. Times that are malformed are the epoch.
    public static Optional<TaskSnapshot> of(JsonNode json) {
        String taskId = json.path("taskId").stringValue(null);
        TaskStatus status = TaskStatus.of(json.path("status").stringValue("")).orElse(null);
        if (taskId == null || taskId.isEmpty() || status == null)
            return Optional.empty();
        return Optional.of(new TaskSnapshot(taskId, status, json.path("statusMessage").stringValue(null),
                instant(json.path("createdAt")), instant(json.path("lastUpdatedAt")),
                millis(json.has("ttlMs") ? json.path("ttlMs") : json.path("ttl")),
                millis(json.has("pollIntervalMs") ? json.path("pollIntervalMs") : json.path("pollInterval")),
                payload(status, json)));
    }

    /// Returns the same task with another payload.
    public TaskSnapshot with(Payload other) {
        return new TaskSnapshot(taskId, status, message, createdAt, updatedAt, timeToLive, pollInterval, other);
    }

    /// Returns it as a task of the extension, with its payload if that is wanted.
    public ObjectNode json(boolean withPayload) {
        ObjectNode json = begun();
        json.set("ttlMs", number(timeToLive));
        if (pollInterval != null)
            json.put("pollIntervalMs", pollInterval.toMillis());
        if (!withPayload)
            return json;
        switch (payload) {
            case Payload.None none -> {
                // The state is all there is.
            }
            // The result that the call would have had: clients read its type.
            case Payload.Reply(McpReply reply) ->
                json.set("result", reply.json(Revision.V2026_07_28).put("resultType", "complete"));
            case Payload.Failure(RpcError error) -> json.set("error", error.json());
            case Payload.Questions(InputQuestions questions) -> questions.addTo(json);
        }
        return json;
    }

    /// Returns it as an experimental task of 2025-11-25, which holds no payload.
    public ObjectNode legacyJson() {
        ObjectNode json = begun();
        json.set("ttl", number(timeToLive));
        if (pollInterval != null)
            json.put("pollInterval", pollInterval.toMillis());
        return json;
    }

    private ObjectNode begun() {
        ObjectNode json = McpJson.object().put("taskId", taskId).put("status", status.text());
        if (message != null)
            json.put("statusMessage", message);
        return json.put("createdAt", createdAt.toString()).put("lastUpdatedAt", updatedAt.toString());
    }

    private static JsonNode number(@Nullable Duration duration) {
        return duration == null
                ? tools.jackson.databind.node.NullNode.getInstance()
                : tools.jackson.databind.node.LongNode.valueOf(duration.toMillis());
    }

    private static Payload payload(TaskStatus status, JsonNode json) {
        return switch (status) {
            case COMPLETED -> json.path("result").isObject()
                    ? new Payload.Reply(McpReply.of(json.path("result")))
                    : new Payload.None();
            case FAILED -> json.path("error").isObject()
                    ? new Payload.Failure(RpcError.of(json.path("error")))
                    : new Payload.None();
            case INPUT_REQUIRED -> new Payload.Questions(InputQuestions.of(json));
            case WORKING, CANCELLED -> new Payload.None();
        };
    }

    private static Instant instant(JsonNode json) {
        try {
            return java.time.OffsetDateTime.parse(json.stringValue("")).toInstant();
        } catch (DateTimeParseException e) {
            return Instant.EPOCH;
        }
    }

    private static @Nullable Duration millis(JsonNode json) {
        return json.isNumber() && json.doubleValue() >= 0 && json.doubleValue() < 1e15
                ? Duration.ofMillis(Math.round(json.doubleValue()))
                : null;
    }
}
