package dev.toolfleet.wire;

import dev.toolfleet.json.Json;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.ObjectWriter;
import tools.jackson.databind.cfg.EnumFeature;
import tools.jackson.databind.exc.ValueInstantiationException;

/// Codec of one record type: to JSON bytes and back. Make one per type and keep it: building it costs more than using
/// it. Thread-safe.
///
/// **Contract.** Enumerations evolve: a value that this version does not know is read as `UNKNOWN` where the
/// enumeration has such a constant, and rejects the record where it has none. [UnknownKinds] counts and names it.
///
/// @param <T> the record type
public final class WireCodec<T> {
    private final Class<T> type;
    private final ObjectReader reader;
    private final ObjectWriter writer;

    private WireCodec(Class<T> type, UnknownValues unknown) {
        this.type = type;
        this.reader = Json.MAPPER.readerFor(type).with(EnumFeature.FAIL_ON_NUMBERS_FOR_ENUMS)
                .withHandler(unknown);
        this.writer = Json.MAPPER.writerFor(type);
    }

    /// Returns the codec of a record type.
    public static <T> WireCodec<T> of(Class<T> type) {
        return new WireCodec<>(type, UnknownValues.ALLOW);
    }

    /// Returns the codec of a type that is read to be written again. It rejects values that this version does not know,
    /// which would otherwise be lost.
    public static <T> WireCodec<T> exact(Class<T> type) {
        return new WireCodec<>(type, UnknownValues.REFUSE);
    }

    /// Returns the JSON of `value`.
    public byte[] write(T value) {
        return writer.writeValueAsBytes(value);
    }

    /// Returns the record in `bytes`.
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

    /// Returns the reason of a rejection. The records' constructors name a missing field by its bare name.
    private static String refusal(ValueInstantiationException e) {
        Throwable cause = e.getCause();
        if (cause instanceof NullPointerException)
            return "'" + cause.getMessage() + "' is missing";
        return cause instanceof IllegalArgumentException ? String.valueOf(cause.getMessage()) : e.getOriginalMessage();
    }
}
