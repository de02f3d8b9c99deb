package dev.toolfleet.gateway.topology;

import dev.toolfleet.json.Json;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/// Fields of a result that place it, read without its output, which may have megabytes.
///
/// @param instanceKey the call's instance
/// @param status its text on the wire
/// @param callOffset the call's offset; -1 when the record does not have it
record ResultHead(String instanceKey, String status, long callOffset) {
    /// True for a result after which no other follows.
    boolean isFinal() {
        return status.equals("ok") || status.equals("error");
    }

    /// Reads the fields; null when the record is no result.
    static @Nullable ResultHead read(byte[] value) {
        String instance = null;
        String status = null;
        long callOffset = -1;
        try (JsonParser parser = Json.MAPPER.createParser(value)) {
            if (parser.nextToken() != JsonToken.START_OBJECT)
                return null;
            while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
                String name = parser.currentName();
                JsonToken token = parser.nextToken();
                if (token == JsonToken.VALUE_STRING && name.equals("instanceKey"))
                    instance = parser.getString();
                else if (token == JsonToken.VALUE_STRING && name.equals("status"))
                    status = parser.getString();
                else if (token == JsonToken.VALUE_NUMBER_INT && name.equals("callOffset"))
                    callOffset = parser.getLongValue();
                else
                    parser.skipChildren();
            }
        } catch (JacksonException e) {
            return null;
        }
        return instance == null || status == null ? null : new ResultHead(instance, status, callOffset);
    }
}
