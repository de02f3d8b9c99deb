package dev.toolfleet.cli.errors;

import java.time.Instant;

import dev.toolfleet.json.Json;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.ObjectReader;

/// Counted fields of an error event; the other fields of a `ToolErrorEvent` are not read.
record ErrorFacts(@Nullable String toolCallId, @Nullable String toolName, @Nullable Cause error,
        @Nullable String instanceKey, @Nullable String agentName, boolean sensitive, @Nullable Instant occurredAt) {
    private static final ObjectReader READER = Json.MAPPER.readerFor(ErrorFacts.class);

    /// Counted fields of the error.
    record Cause(@Nullable String code, @Nullable String message) {}

    /// Null when the bytes are no error event.
    static @Nullable ErrorFacts read(byte @Nullable [] value) {
        if (value == null)
            return null;
        try {
            ErrorFacts facts = READER.readValue(value);
            return facts == null || facts.code().isEmpty() || facts.toolName == null || facts.occurredAt == null
                    ? null
                    : facts;
        } catch (JacksonException e) {
            return null;
        }
    }

    String code() {
        return error == null || error.code() == null ? "" : error.code();
    }

    String tool() {
        return toolName == null ? "" : toolName;
    }

    /// Empty when the call named none.
    String agent() {
        return agentName == null ? "" : agentName;
    }

    Instant at() {
        return occurredAt == null ? Instant.EPOCH : occurredAt;
    }

    /// Empty where it may not be shown.
    String message() {
        return sensitive || error == null || error.message() == null ? "" : error.message();
    }
}
