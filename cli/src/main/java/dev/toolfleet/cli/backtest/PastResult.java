package dev.toolfleet.cli.backtest;

import java.nio.charset.StandardCharsets;

import dev.toolfleet.json.Json;
import dev.toolfleet.topic.WireHeaders;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.ObjectReader;

/// Fields of a record of `tool.result` that an example shows; its output is passed over.
record PastResult(@Nullable String status, @Nullable Failed error, @Nullable Long callOffset) {
    private static final ObjectReader READER = Json.MAPPER.readerFor(PastResult.class);
    /// Offset of no call.
    static final long NO_CALL = -1;

    /// The error of a result.
    record Failed(@Nullable String code) {}

    /// Null when the bytes are no result.
    static @Nullable PastResult read(byte @Nullable [] value) {
        if (value == null)
            return null;
        try {
            return READER.readValue(value);
        } catch (JacksonException e) {
            return null;
        }
    }

    /// Returns the offset of the call, by the record's header where it has one; [#NO_CALL] when nothing names it.
    static long callOffset(ConsumerRecord<byte[], byte[]> record) {
        Header header = record.headers().lastHeader(WireHeaders.CALL_OFFSET);
        if (header != null && header.value() != null)
            return number(new String(header.value(), StandardCharsets.UTF_8));
        PastResult result = read(record.value());
        return result == null || result.callOffset == null ? NO_CALL : result.callOffset;
    }

    private static long number(String text) {
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException e) {
            return NO_CALL;
        }
    }

    Returned returned() {
        return switch (status) {
            case "ok" -> Returned.OK;
            case "error" -> Returned.ERROR;
            case "pending" -> Returned.PENDING;
            case null, default -> Returned.UNKNOWN;
        };
    }

    /// Code of the error; null without one.
    @Nullable
    String code() {
        return error == null ? null : error.code();
    }
}
