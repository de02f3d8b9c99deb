package dev.toolfleet.bench.crash;

import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Optional;

import dev.toolfleet.bench.verdict.IntentFact;
import dev.toolfleet.json.Json;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/// What of `tool.journal` a run looks at: intents, told from other entries by their fields.
final class JournalRecords {
    private JournalRecords() {}

    /// The intent in a record; empty when it is something else.
    static Optional<IntentFact> intent(byte[] value) {
        try {
            JsonNode record = Json.MAPPER.readTree(value);
            JsonNode identity = record.path("identity");
            JsonNode startedAt = record.path("startedAt");
            JsonNode worker = record.path("worker");
            if (!identity.isString() || !startedAt.isString() || !worker.isString())
                return Optional.empty();
            JsonNode parts = Json.MAPPER.readTree(identity.stringValue());
            return Optional.of(new IntentFact(parts.path(parts.size() - 1).asString(""), worker.stringValue(),
                    Instant.parse(startedAt.stringValue())));
        } catch (JacksonException | DateTimeParseException e) {
            return Optional.empty();
        }
    }
}
