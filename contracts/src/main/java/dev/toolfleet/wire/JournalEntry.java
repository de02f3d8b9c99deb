package dev.toolfleet.wire;

import dev.toolfleet.json.Json;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/// What stands on `tool.journal` under a call's identity, until a tombstone: that its handler is about to start, or that
/// it waits for a handle.
public sealed interface JournalEntry permits CallIntent, OpenHandle {
    /// The call's identity; the record's key.
    String identity();

    /// Of the call's name and arguments.
    String fingerprint();

    /// Reads an entry; the one with a handle is an [OpenHandle].
    ///
    /// @throws WireFormatException when the bytes are neither
    static JournalEntry read(byte[] value) {
        try {
            JsonNode tree = Json.MAPPER.readTree(value);
            return tree.hasNonNull("handle") ? Codecs.HANDLES.read(value) : Codecs.INTENTS.read(value);
        } catch (JacksonException e) {
            throw new WireFormatException("a journal entry expected: " + e.getOriginalMessage(), e);
        }
    }

    /// Made once.
    final class Codecs {
        private static final WireCodec<CallIntent> INTENTS = WireCodec.of(CallIntent.class);
        private static final WireCodec<OpenHandle> HANDLES = WireCodec.of(OpenHandle.class);

        private Codecs() {}
    }
}
