package dev.toolfleet.worker.identity;

import java.nio.charset.StandardCharsets;

import dev.toolfleet.topic.TraceParent;
import dev.toolfleet.topic.WireHeaders;
import dev.toolfleet.wire.CallDecoder;
import dev.toolfleet.wire.DecodedCall;
import dev.toolfleet.worker.assignment.Position;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;

/// Consumer records to arrivals; the one place where a call's JSON is parsed.
public final class ArrivalDecoder {
    private static final int MAX_TRACEPARENT = 256;

    private ArrivalDecoder() {}

    /// Reads a record that was polled under `epoch`. Never throws on data.
    public static Arrival decode(ConsumerRecord<byte[], byte[]> record, long epoch) {
        Position position = new Position(record.partition(), epoch, record.offset());
        return switch (CallDecoder.decode(text(record.key()), record.value())) {
            case DecodedCall.Valid(var call) -> new Arrival.Call(position, call, record.timestamp(),
                    traceparent(record), weight(record));
            case DecodedCall.Malformed(var reason, var caller) ->
                new Arrival.Malformed(position, reason, caller, record);
        };
    }

    private static int weight(ConsumerRecord<byte[], byte[]> record) {
        return Math.max(0, record.serializedKeySize()) + Math.max(0, record.serializedValueSize());
    }

    /// Only a well-formed one travels on: it is copied into every record of the call, and a header of a megabyte would
    /// fit into none.
    private static @Nullable String traceparent(ConsumerRecord<byte[], byte[]> record) {
        Header header = record.headers().lastHeader(WireHeaders.TRACEPARENT);
        if (header == null || header.value() == null || header.value().length > MAX_TRACEPARENT)
            return null;
        String text = text(header.value());
        return TraceParent.parse(text).isPresent() ? text : null;
    }

    private static @Nullable String text(byte @Nullable [] bytes) {
        return bytes == null ? null : new String(bytes, StandardCharsets.UTF_8);
    }
}
