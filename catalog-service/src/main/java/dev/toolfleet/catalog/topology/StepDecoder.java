package dev.toolfleet.catalog.topology;

import dev.toolfleet.wire.StepEvent;
import dev.toolfleet.wire.WireCodec;
import dev.toolfleet.wire.WireFormatException;
import org.jspecify.annotations.Nullable;

/// Reads a record of `agent.step`.
final class StepDecoder {
    /// The longest name. Longer ones would make the keys of other topics, and the eight steps that a catalog names, too
    /// large.
    static final int MAX_NAME_LENGTH = 1024;
    private static final WireCodec<StepEvent> CODEC = WireCodec.of(StepEvent.class);

    private StepDecoder() {}

    /// Reads the event.
    ///
    /// @throws WireFormatException when the record cannot be answered; the message may hold parts of the record and
    ///         must not be logged
    static StepEvent decode(byte @Nullable [] value) {
        if (value == null)
            throw new WireFormatException("StepEvent expected, but the record is empty");
        StepEvent event = CODEC.read(value);
        bounded("instanceKey", event.instanceKey());
        bounded("agentName", event.agentName());
        bounded("turnId", event.turnId());
        bounded("stepId", event.stepId());
        // instanceKey/agentName is a key, and must split in one way only.
        if (event.agentName().contains("/"))
            throw new WireFormatException("agentName must not contain '/'");
        return event;
    }

    private static void bounded(String field, String text) {
        if (text.length() > MAX_NAME_LENGTH) {
            throw new WireFormatException(
                    field + " has " + text.length() + " characters and may have " + MAX_NAME_LENGTH);
        }
    }
}
