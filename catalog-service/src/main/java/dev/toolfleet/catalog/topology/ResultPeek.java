package dev.toolfleet.catalog.topology;

import dev.toolfleet.json.Json;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/// Finds the tool of a record of `tool.result` without parsing the tool's output, as far as the fields' order allows:
/// the fleet writes the name near the beginning.
final class ResultPeek {
    private ResultPeek() {}

    /// Returns the tool's full name; null when the record does not have it.
    static @Nullable String toolName(byte[] value) {
        try (JsonParser parser = Json.MAPPER.createParser(value)) {
            if (parser.nextToken() != JsonToken.START_OBJECT)
                return null;
            while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
                boolean found = parser.currentName().equals("toolName");
                JsonToken token = parser.nextToken();
                if (found)
                    return token == JsonToken.VALUE_STRING ? parser.getString() : null;
                parser.skipChildren();
            }
            return null;
        } catch (JacksonException e) {
            return null;
        }
    }
}
