package dev.toolfleet.worker.record;

import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import dev.toolfleet.error.ErrorText;
import dev.toolfleet.topic.EventType;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.topic.WireHeaders;
import dev.toolfleet.wire.PendingCall;
import dev.toolfleet.wire.ResumedCall;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.wire.ToolError;
import dev.toolfleet.wire.ToolErrorEvent;
import dev.toolfleet.wire.WireCodec;
import dev.toolfleet.worker.assignment.Position;
import dev.toolfleet.worker.call.CallFacts;
import dev.toolfleet.worker.identity.Arrival;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;

/// Records beside results: error events, pending calls, dead letters. Thread-safe.
public final class SideRecords {
    private static final WireCodec<ToolErrorEvent> ERRORS = WireCodec.of(ToolErrorEvent.class);
    private static final WireCodec<PendingCall> PENDING = WireCodec.of(PendingCall.class);
    private static final WireCodec<ResumedCall> RESUMED = WireCodec.of(ResumedCall.class);

    /// The most of a record's value that a dead letter holds. Only a record that its producer compressed can be larger,
    /// and one that no topic takes would hold up its partition for ever.
    private static final int MAX_RAW = Topic.MAX_WRAPPING_RECORD_BYTES - 1024 * 1024;

    private final RecordWriter writer;
    private final ResultRecords results;
    private final InstantSource clock;
    private final AuditRecords audit;

    /// @param results knows the timing of a call
    public SideRecords(RecordWriter writer, ResultRecords results, InstantSource clock) {
        this.writer = writer;
        this.results = results;
        this.clock = clock;
        this.audit = new AuditRecords(writer, clock);
    }

    /// Audit events of a call; none for a plain allow of a tool without sensitive data.
    ///
    /// @param waits what the call waits for; null when it has ended
    List<ProducerRecord<byte[], byte[]>> audit(CallFacts run, @Nullable PendingCall waits) {
        return audit.of(run, waits);
    }

    /// The event for one final error result. Never holds the arguments.
    ProducerRecord<byte[], byte[]> error(CallFacts run, ToolError error) {
        ToolCall call = run.call().arrival().call();
        return writer.byKey(Topic.ERROR, call.instanceKey(), ERRORS.write(errorEvent(run, error)),
                writer.headers(EventType.TOOL_ERROR, run.at(), call.instanceKey(),
                        run.context()));
    }

    /// The notice beside a result that is no error: the call named another catalog than the one that judged it.
    ProducerRecord<byte[], byte[]> mismatch(CallFacts run, String named, String judged) {
        return error(
                run, new ToolError(ToolErrorEvent.DIGEST_MISMATCH, "CatalogDigestMismatch",
                        "The call named the catalog "
                                + named + ", and was judged by " + judged + ", which was published for its step.",
                        null, null));
    }

    ToolErrorEvent errorEvent(CallFacts run, ToolError error) {
        ToolCall call = run.call().arrival().call();
        return new ToolErrorEvent(call.id(), call.name(), run.source(), error, call.instanceKey(), call.agentName(),
                call.turnId(), call.stepId(), call.userId(), call.channelId(), run.attempt(), results.timing(run),
                run.call().fingerprint(), run.catalogDigest(), call.catalogDigest(), run.policyDigest(),
                run.waitedFor(), run.isSensitive(), run.traceId(), writer.worker(), clock.instant());
    }

    /// Messages of the call to agents.
    List<ProducerRecord<byte[], byte[]>> said(CallFacts run) {
        return AgentRecords.of(writer, run);
    }

    /// The call behind a handle; null when it is too large for a record.
    @Nullable
    ProducerRecord<byte[], byte[]> pending(CallFacts run, PendingCall pending) {
        byte[] value = PENDING.write(pending);
        if (value.length > PendingCall.MAX_BYTES)
            return null;
        return writer.byKey(Topic.PENDING, pending.handle(), value,
                writer.headers(EventType.TOOL_PENDING,
                        run.at(), pending.handle(), run.context()));
    }

    /// A forged approval as a dead letter, with the reason and its origin.
    ProducerRecord<byte[], byte[]> forged(CallFacts run, String why) {
        ToolCall call = run.call().arrival().call();
        byte[] value = RESUMED.write(new ResumedCall(call, run.call().arrival().position().offset(), run.grant(), null,
                null, null));
        HeaderList headers = writer.headers(EventType.TOOL_CALL_RESUMED, run.at(), call.instanceKey(),
                run.context());
        headers.put(WireHeaders.REASON, ErrorText.limit("forged: " + why, ErrorText.DEFAULT_LIMIT));
        headers.put(WireHeaders.ORIGIN, origin(run.at()));
        headers.put(WireHeaders.WORKER, writer.worker());
        headers.put(WireHeaders.ATTEMPT, "1");
        return writer.byKey(Topic.DEAD_LETTER, call.instanceKey(), value, headers);
    }

    /// The origin of a record.
    String origin(Position at) {
        Topic topic = at.source() == Position.Source.RESUMED ? Topic.CALL_RESUMED : Topic.CALL;
        return writer.topic(topic) + "/" + at.partition() + "/" + at.offset();
    }

    /// The record as it was, headers too, with the reason and where it comes from beside them.
    ProducerRecord<byte[], byte[]> deadLetter(Arrival.Malformed malformed) {
        ConsumerRecord<byte[], byte[]> raw = malformed.raw();
        HeaderList why = new HeaderList();
        String cut = raw.value() != null && raw.value().length > MAX_RAW
                ? "cut to " + MAX_RAW + " of "
                        + raw.value().length + " bytes; "
                : "";
        why.put(WireHeaders.REASON, ErrorText.limit(cut + "malformed: " + malformed.reason(), ErrorText.DEFAULT_LIMIT));
        why.put(WireHeaders.ORIGIN, raw.topic() + "/" + raw.partition() + "/" + raw.offset());
        why.put(WireHeaders.WORKER, writer.worker());
        why.put(WireHeaders.ATTEMPT, "1");
        List<Header> headers = new ArrayList<>(List.of(raw.headers().toArray()));
        why.kafka().forEach(headers::add);
        byte[] value = cut.isEmpty() ? raw.value() : Arrays.copyOf(raw.value(), MAX_RAW);
        return new ProducerRecord<>(writer.topic(Topic.DEAD_LETTER), null, raw.key(), value, headers);
    }
}
