package dev.toolfleet.bench.crash;

import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Optional;

import dev.toolfleet.bench.fleet.AheadClock;
import dev.toolfleet.bench.fleet.WorkerSlot;
import dev.toolfleet.bench.verdict.IntentFact;
import dev.toolfleet.json.Json;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/// Reader of the intents on `tool.journal`, which differ from other entries by their fields.
final class IntentReader {
    private IntentReader() {}

    /// The intent in a record; empty when it is something else.
    static Optional<IntentFact> intent(byte[] value) {
        try {
            JsonNode record = Json.MAPPER.readTree(value);
            JsonNode identity = record.path("identity");
            JsonNode startedAt = record.path("startedAt");
            JsonNode worker = record.path("worker");
            if (!identity.isString() || !startedAt.isString() || !worker.isString())
                return Optional.empty();
            Instant at = Instant.parse(startedAt.stringValue());
            return Optional.of(new IntentFact(callId(identity.stringValue()), worker.stringValue(),
                    WorkerSlot.isAhead(worker.stringValue()) ? at.minus(Duration.ofHours(AheadClock.HOURS)) : at,
                    record.path("deaths").asInt(0), record.path("repeatable").asBoolean(false)));
        } catch (JacksonException | DateTimeParseException e) {
            return Optional.empty();
        }
    }

    /// The last part of an identity; of an approved call's, of the identity that is its first part.
    private static String callId(String identity) {
        JsonNode parts = Json.MAPPER.readTree(identity);
        String first = parts.path(0).asString("");
        return parts.size() == 2 && first.startsWith("[") ? callId(first) : parts.path(parts.size() - 1).asString("");
    }
}
