package dev.toolfleet.worker.identity;

import java.nio.charset.StandardCharsets;

import dev.toolfleet.topic.TraceContext;
import dev.toolfleet.topic.WireHeaders;
import dev.toolfleet.wire.CallDecoder;
import dev.toolfleet.wire.DecodedCall;
import dev.toolfleet.worker.assignment.Position;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;

/// Decoder of consumer records; the one place where a call's JSON is parsed.
public final class ArrivalDecoder {
    private static final int MAX_TRACEPARENT = 256;
    private static final int MAX_TRACESTATE = TraceContext.MAX_TRACESTATE;

    private ArrivalDecoder() {}

    /// Reads a record that was polled under `epoch`. Never throws on data.
    public static Arrival decode(ConsumerRecord<byte[], byte[]> record, long epoch) {
        Position position = new Position(record.partition(), epoch, record.offset());
        return switch (CallDecoder.decode(text(record.key()), record.value())) {
            case DecodedCall.Valid(var call) -> new Arrival.Call(position, call, record.timestamp(),
                    trace(record), weight(record));
            case DecodedCall.Malformed(var reason, var caller) ->
                new Arrival.Malformed(position, reason, caller, record);
        };
    }

    private static int weight(ConsumerRecord<byte[], byte[]> record) {
        return Math.max(0, record.serializedKeySize()) + Math.max(0, record.serializedValueSize());
    }

    /// Reads the trace context. A malformed one is dropped, because it is copied into every record of the call.
    /// Otherwise: a header of a megabyte fits into none of them.
    private static @Nullable TraceContext trace(ConsumerRecord<byte[], byte[]> record) {
        String parent = header(record, WireHeaders.TRACEPARENT, MAX_TRACEPARENT);
        return parent == null ? null : TraceContext.of(parent, header(record, WireHeaders.TRACESTATE, MAX_TRACESTATE));
    }

    private static @Nullable String header(ConsumerRecord<byte[], byte[]> record, String name, int max) {
        Header header = record.headers().lastHeader(name);
        return header == null || header.value() == null || header.value().length > max ? null : text(header.value());
    }

    private static @Nullable String text(byte @Nullable [] bytes) {
        return bytes == null ? null : new String(bytes, StandardCharsets.UTF_8);
    }
}
