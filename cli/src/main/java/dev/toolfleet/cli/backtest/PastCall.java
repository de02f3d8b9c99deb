package dev.toolfleet.cli.backtest;

import dev.toolfleet.json.Json;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.ObjectReader;

/// Fields of a record of `tool.call` that a decision and an example need. Its arguments and its message are passed
/// over: most rules do not look at them.
record PastCall(String id, String name, String instanceKey, @Nullable String agentName, @Nullable String userId,
        @Nullable String channelId) {
    private static final ObjectReader READER = Json.MAPPER.readerFor(PastCall.class);

    /// Null when the bytes are no call, as far as these fields show.
    static @Nullable PastCall read(byte @Nullable [] value) {
        if (value == null)
            return null;
        try {
            PastCall call = READER.readValue(value);
            return call == null || isAbsent(call.id) || isAbsent(call.name) || isAbsent(call.instanceKey) ? null : call;
        } catch (JacksonException e) {
            return null;
        }
    }

    private static boolean isAbsent(@Nullable String text) {
        return text == null || text.isEmpty();
    }
}
