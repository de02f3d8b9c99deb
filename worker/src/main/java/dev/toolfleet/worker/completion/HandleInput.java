package dev.toolfleet.worker.completion;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import dev.toolfleet.client.topics.KafkaHeaders;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.topic.Topics;
import dev.toolfleet.topic.WireHeaders;
import dev.toolfleet.wire.PendingCall;
import dev.toolfleet.wire.WireCodec;
import dev.toolfleet.wire.WireFormatException;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.streams.processor.api.Record;

/// Reader of the records for the task that owns a handle. Pure.
final class HandleInput {
    static final WireCodec<PendingCall> PENDING = WireCodec.of(PendingCall.class);

    private HandleInput() {}

    /// Reads a record of `tool.pending`.
    ///
    /// @param callPartitions of group A: records derived from the call go to its partition
    /// @throws WireFormatException if the call cannot be followed by this record
    static PendingCall pending(Record<byte[], byte[]> record, int callPartitions) {
        PendingCall call = PENDING.read(record.value());
        if (call.handle().isBlank() || call.handle().length() > PendingCall.MAX_HANDLE)
            throw new WireFormatException("'handle' is empty or too long");
        if (!Arrays.equals(call.handle().getBytes(StandardCharsets.UTF_8), record.key()))
            throw new WireFormatException("the record's key is not its handle");
        if (call.kind() == PendingCall.Kind.UNKNOWN)
            throw new WireFormatException("this version does not know its 'kind'");
        if (call.partition() < 0 || call.partition() >= callPartitions)
            throw new WireFormatException("there is no partition " + call.partition());
        if (record.value().length > PendingCall.MAX_BYTES)
            throw new WireFormatException("the record has " + record.value().length + " bytes; at most "
                    + PendingCall.MAX_BYTES + " can be kept");
        return call;
    }

    /// Reads a record that [HandleIntake] placed here.
    ///
    /// @param topics the fleet's topic names
    static RawRecord raw(Record<byte[], byte[]> record, Topics topics) {
        String origin = KafkaHeaders.text(record.headers(), WireHeaders.ORIGIN);
        if (origin == null || record.key() == null || record.value() == null)
            throw new WireFormatException("the record was not placed by this topology");
        List<RawRecord.RawHeader> headers = new ArrayList<>();
        for (Header header : record.headers()) {
            if (!header.key().equals(WireHeaders.ORIGIN))
                headers.add(rawHeader(header));
        }
        return new RawRecord(source(origin, topics), origin, record.value(), headers);
    }

    private static RawRecord.Source source(String origin, Topics topics) {
        if (origin.startsWith(topics.name(Topic.CONTROL) + "/"))
            return RawRecord.Source.CANCEL;
        return origin.startsWith(topics.name(Topic.DECISION) + "/")
                ? RawRecord.Source.DECISION
                : RawRecord.Source.COMPLETION;
    }

    /// Approximate number of bytes that headers take.
    static int size(Headers headers) {
        int bytes = 0;
        for (Header header : headers)
            bytes += rawHeader(header).size();
        return bytes;
    }

    private static RawRecord.RawHeader rawHeader(Header header) {
        return new RawRecord.RawHeader(header.key(), header.value() == null ? new byte[0] : header.value());
    }
}
