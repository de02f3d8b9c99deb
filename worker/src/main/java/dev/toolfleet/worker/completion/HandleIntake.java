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

/// Takes in a topic whose records name a handle, wherever their producer placed them, and sends them on by handle. What
/// is malformed ends here.
final class HandleIntake implements Processor<byte[], byte[], byte[], byte[]> {
    /// What is taken in of a decision as it is; of a larger one, what is kept of it. A rejection is one however long.
    static final int MAX_DECISION = 64 * 1024;
    private static final WireCodec<Completion> COMPLETIONS = WireCodec.of(Completion.class);
    private static final WireCodec<Decision> DECISIONS = WireCodec.of(Decision.class);

    private final Raw.Source source;
    private final String next;
    private final String letterSink;
    private final Letters letters;
    private @Nullable ProcessorContext<byte[], byte[]> context;

    /// @param source what the topic holds
    /// @param next the node that gets what names a handle
    /// @param letterSink the node that gets dead letters
    HandleIntake(Raw.Source source, String next, String letterSink, CompletionSetup setup) {
        this.source = source;
        this.next = next;
        this.letterSink = letterSink;
        this.letters = new Letters(setup);
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
            var letter = letters.of(record, origin, Letters.MALFORMED, Letters.MALFORMED + ": " + e.getMessage());
            context.forward(letter.withValue(letter.value().bytes()), letterSink);
        }
    }

    private Optional<Record<byte[], byte[]>> placed(Record<byte[], byte[]> record, String origin) {
        byte[] value = record.value();
        if (value == null)
            throw new WireFormatException("the record has no value");
        // An order to a lane is for the workers.
        if (source == Raw.Source.CANCEL && LaneOrder.isOne(value))
            return Optional.empty();
        Headers headers = new RecordHeaders(record.headers());
        headers.remove(WireHeaders.ORIGIN).add(WireHeaders.ORIGIN, origin.getBytes(StandardCharsets.UTF_8));
        Told told = Told.read(new Raw(source, origin, value, List.of()));
        String handle = switch (told) {
            case Told.Said said -> said.completion().handle();
            case Told.Unwanted(CancelCall cancel, Raw _) when !cancel.namesCalls() ->
                throw new WireFormatException("names neither toolCallId nor stepId nor handle");
            case Told.Unwanted(CancelCall cancel, Raw _) -> cancel.handle();
            case Told.Decided decided -> decided.decision().handle();
        };
        // Cancellations without one are for the workers.
        if (handle == null)
            return Optional.empty();
        if (handle.isBlank() || handle.length() > PendingCall.MAX_HANDLE)
            throw new WireFormatException("'handle' has " + handle.length() + " characters; 1 to "
                    + PendingCall.MAX_HANDLE + " are accepted");
        Record<byte[], byte[]> placed = new Record<>(handle.getBytes(StandardCharsets.UTF_8), value,
                record.timestamp(), headers);
        int bytes = value.length + HandleInput.size(headers);
        if (told instanceof Told.Decided(Decision decision, Raw _) && bytes > MAX_DECISION) {
            return Optional.of(new Record<>(placed.key(), DECISIONS.write(decision.kept()), placed.timestamp(),
                    onlyOrigin(origin)));
        }
        return Optional.of(bytes <= Raw.MAX_BYTES ? placed : smaller(placed, told, bytes));
    }

    private static Headers onlyOrigin(String origin) {
        return new RecordHeaders().add(WireHeaders.ORIGIN, origin.getBytes(StandardCharsets.UTF_8));
    }

    /// Only what its producer compressed can be so large. An end that no record takes is an end nevertheless (G6).
    private static Record<byte[], byte[]> smaller(Record<byte[], byte[]> placed, Told told, int bytes) {
        if (!(told instanceof Told.Said(Completion completion, Raw raw))
                || completion.kind() == Completion.Kind.PROGRESS)
            throw new WireFormatException("the record has " + bytes + " bytes; at most " + Raw.MAX_BYTES
                    + " are accepted");
        return new Record<>(placed.key(), COMPLETIONS.write(PollAnswers.tooLarge(completion.handle(), bytes,
                completion.token())), placed.timestamp(), onlyOrigin(raw.origin()));
    }
}
