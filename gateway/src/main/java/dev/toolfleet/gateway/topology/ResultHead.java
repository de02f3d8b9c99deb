package dev.toolfleet.gateway.topology;

import dev.toolfleet.json.Json;
import dev.toolfleet.wire.ResultStatus;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/// Fields of a result that place and sum it up, read without its output, which may have megabytes.
///
/// @param instanceKey the call's instance
/// @param status its text on the wire
/// @param callOffset the call's offset; -1 when the record does not have it
/// @param handle the handle that it names; null for none
/// @param code the code of its error; null for none
/// @param replayed true if it repeats the result of an earlier call
record ResultHead(String instanceKey, String status, long callOffset, @Nullable String handle, @Nullable String code,
        boolean replayed) {
    private static final String OK = "ok";
    private static final String ERROR = "error";

    /// True for a result after which no other follows.
    boolean isFinal() {
        return status.equals(OK) || status.equals(ERROR);
    }

    /// Returns the status of a final result.
    ResultStatus finalStatus() {
        return status.equals(OK) ? ResultStatus.OK : ResultStatus.ERROR;
    }

    /// Reads the fields; null when the record is no result.
    static @Nullable ResultHead read(byte[] value) {
        try (JsonParser parser = Json.MAPPER.createParser(value)) {
            return parser.nextToken() == JsonToken.START_OBJECT ? new Fields().read(parser) : null;
        } catch (JacksonException e) {
            return null;
        }
    }

    /// Fields that were read of one result.
    private static final class Fields {
        private @Nullable String instance;
        private @Nullable String status;
        private @Nullable String handle;
        private @Nullable String code;
        private long callOffset = -1;
        private boolean replayed;

        @Nullable
        ResultHead read(JsonParser parser) {
            while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
                String name = parser.currentName();
                switch (parser.nextToken()) {
                    case VALUE_STRING -> text(name, parser);
                    case VALUE_NUMBER_INT -> callOffset = name.equals("callOffset")
                            ? parser.getLongValue()
                            : callOffset;
                    case VALUE_TRUE -> replayed |= name.equals("replayed");
                    case START_OBJECT -> object(name, parser);
                    case null, default -> parser.skipChildren();
                }
            }
            return instance == null || status == null
                    ? null
                    : new ResultHead(instance, status, callOffset, handle, code, replayed);
        }

        private void text(String name, JsonParser parser) {
            switch (name) {
                case "instanceKey" -> instance = parser.getString();
                case "status" -> status = parser.getString();
                case "handle" -> handle = parser.getString();
                default -> {
                    // Not needed.
                }
            }
        }

        private void object(String name, JsonParser parser) {
            if (!name.equals("error")) {
                parser.skipChildren();
                return;
            }
            while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
                boolean isCode = parser.currentName().equals("code");
                if (parser.nextToken() == JsonToken.VALUE_STRING && isCode)
                    code = parser.getString();
                else
                    parser.skipChildren();
            }
        }
    }
}
