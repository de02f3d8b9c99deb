package dev.toolfleet.wire;

import dev.toolfleet.json.Json;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.ObjectWriter;
import tools.jackson.databind.exc.ValueInstantiationException;

/// One record type to JSON bytes and back. Make one per type and keep it: building it costs more than using it.
/// Thread-safe.
///
/// @param <T> the record type
public final class WireCodec<T> {
    private final Class<T> type;
    private final ObjectReader reader;
    private final ObjectWriter writer;

    private WireCodec(Class<T> type) {
        this.type = type;
        this.reader = Json.MAPPER.readerFor(type);
        this.writer = Json.MAPPER.writerFor(type);
    }

    /// The codec of a record type.
    public static <T> WireCodec<T> of(Class<T> type) {
        return new WireCodec<>(type);
    }

    /// The JSON of `value`.
    public byte[] write(T value) {
        return writer.writeValueAsBytes(value);
    }

    /// The record in `bytes`.
    ///
    /// @throws WireFormatException when the bytes are not JSON or lack a required field
    public T read(byte[] bytes) {
        try {
            T value = reader.readValue(bytes);
            if (value == null)
                throw new WireFormatException(type.getSimpleName() + " expected, but the record is null");
            return value;
        } catch (ValueInstantiationException e) {
            throw new WireFormatException(type.getSimpleName() + " expected: " + refusal(e), e);
        } catch (JacksonException e) {
            throw new WireFormatException(type.getSimpleName() + " expected: " + e.getOriginalMessage(), e);
        }
    }

    /// The records' constructors refuse missing fields with the field's bare name.
    private static String refusal(ValueInstantiationException e) {
        Throwable cause = e.getCause();
        if (cause instanceof NullPointerException)
            return "'" + cause.getMessage() + "' is missing";
        return cause instanceof IllegalArgumentException ? String.valueOf(cause.getMessage()) : e.getOriginalMessage();
    }
}
