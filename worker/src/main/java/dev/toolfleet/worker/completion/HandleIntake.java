package dev.toolfleet.worker.completion;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

import dev.toolfleet.streams.DeadLetters;
import dev.toolfleet.topic.WireHeaders;
import dev.toolfleet.wire.CancelCall;
import dev.toolfleet.wire.Completion;
import dev.toolfleet.wire.Decision;
import dev.toolfleet.wire.LaneOrder;
import dev.toolfleet.wire.PendingCall;
import dev.toolfleet.wire.WireCodec;
import dev.toolfleet.wire.WireFormatException;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.jspecify.annotations.Nullable;

/// Intake of a topic whose records name a handle: sends each on by its handle, whatever partition its producer chose.
/// Malformed records become dead letters here.
final class HandleIntake implements Processor<byte[], byte[], byte[], byte[]> {
    /// Most bytes of a decision that is taken in unchanged. Of a larger one only the deciding fields are kept, so a
    /// long rejection still counts.
    static final int MAX_DECISION = 64 * 1024;
    private static final WireCodec<Completion> COMPLETIONS = WireCodec.of(Completion.class);
    private static final WireCodec<Decision> DECISIONS = WireCodec.of(Decision.class);

    private final RawRecord.Source source;
    private final String next;
    private final String letterSink;
    private final HandleDeadLetters letters;
    private @Nullable ProcessorContext<byte[], byte[]> context;

    /// @param source the content of the topic
    /// @param next the node for records that name a handle
    /// @param letterSink the node for dead letters
    HandleIntake(RawRecord.Source source, String next, String letterSink, CompletionSetup setup) {
        this.source = source;
        this.next = next;
        this.letterSink = letterSink;
        this.letters = new HandleDeadLetters(setup);
    }

    @Override
    public void init(ProcessorContext<byte[], byte[]> bound) {
        context = bound;
    }

    @Override
    public void process(Record<byte[], byte[]> record) {
        if (context == null)
            throw new IllegalStateException("process before init");
        String origin = context.recordMetadata().map(DeadLetters::origin).orElse("");
        try {
            Optional<Record<byte[], byte[]>> placed = placed(record, origin);
            if (placed.isPresent())
                context.forward(placed.get(), next);
        } catch (WireFormatException e) {
            var letter = letters.of(record, origin, HandleDeadLetters.MALFORMED,
                    HandleDeadLetters.MALFORMED + ": " + e.getMessage());
            context.forward(letter.withValue(letter.value().bytes()), letterSink);
        }
    }

    private Optional<Record<byte[], byte[]>> placed(Record<byte[], byte[]> record, String origin) {
        byte[] value = record.value();
        if (value == null)
            throw new WireFormatException("the record has no value");
        // Workers read orders for lanes themselves.
        if (source == RawRecord.Source.CANCEL && LaneOrder.isOne(value))
            return Optional.empty();
        Headers headers = new RecordHeaders(record.headers());
        headers.remove(WireHeaders.ORIGIN).add(WireHeaders.ORIGIN, origin.getBytes(StandardCharsets.UTF_8));
        HandleMessage told = HandleMessage.read(new RawRecord(source, origin, value, List.of()));
        String handle = switch (told) {
            case HandleMessage.Report said -> said.completion().handle();
            case HandleMessage.Cancellation(CancelCall cancel, RawRecord _) when !cancel.namesCalls() ->
                throw new WireFormatException("names neither toolCallId nor stepId nor handle");
            case HandleMessage.Cancellation(CancelCall cancel, RawRecord _) -> cancel.handle();
            case HandleMessage.Decided decided -> decided.decision().handle();
        };
        // Workers read cancellations without a handle themselves.
        if (handle == null)
            return Optional.empty();
        if (handle.isBlank() || handle.length() > PendingCall.MAX_HANDLE)
            throw new WireFormatException("'handle' has " + handle.length() + " characters; 1 to "
                    + PendingCall.MAX_HANDLE + " are accepted");
        Record<byte[], byte[]> placed = new Record<>(handle.getBytes(StandardCharsets.UTF_8), value,
                record.timestamp(), headers);
        int bytes = value.length + HandleInput.size(headers);
        if (told instanceof HandleMessage.Decided(Decision decision, RawRecord _) && bytes > MAX_DECISION) {
            return Optional.of(new Record<>(placed.key(), DECISIONS.write(decision.kept()), placed.timestamp(),
                    onlyOrigin(origin)));
        }
        return Optional.of(bytes <= RawRecord.MAX_BYTES ? placed : smaller(placed, told, bytes));
    }

    private static Headers onlyOrigin(String origin) {
        return new RecordHeaders().add(WireHeaders.ORIGIN, origin.getBytes(StandardCharsets.UTF_8));
    }

    /// Replaces an end that is too large by an error, because it is an end nevertheless (G6 in `docs/guarantees.md`).
    /// Only records that their producer compressed can be so large.
    private static Record<byte[], byte[]> smaller(Record<byte[], byte[]> placed, HandleMessage told, int bytes) {
        if (!(told instanceof HandleMessage.Report(Completion completion, RawRecord raw))
                || completion.kind() == Completion.Kind.PROGRESS)
            throw new WireFormatException("the record has " + bytes + " bytes; at most " + RawRecord.MAX_BYTES
                    + " are accepted");
        return new Record<>(placed.key(), COMPLETIONS.write(PollAnswers.tooLarge(completion.handle(), bytes,
                completion.token())), placed.timestamp(), onlyOrigin(raw.origin()));
    }
}
