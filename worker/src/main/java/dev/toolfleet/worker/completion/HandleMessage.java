package dev.toolfleet.worker.completion;

import dev.toolfleet.wire.CancelCall;
import dev.toolfleet.wire.Completion;
import dev.toolfleet.wire.CompletionDecoder;
import dev.toolfleet.wire.Decision;
import dev.toolfleet.wire.DecodedCompletion;
import dev.toolfleet.wire.WireCodec;
import dev.toolfleet.wire.WireFormatException;

/// Record that names a handle, read.
sealed interface HandleMessage {
    /// Returns the unread record.
    RawRecord raw();

    /// Progress or an end, from the work or its completer.
    record Report(Completion completion, RawRecord raw) implements HandleMessage {}

    /// A cancellation: the work is no longer needed.
    record Cancellation(CancelCall cancel, RawRecord raw) implements HandleMessage {}

    /// A person decided about the call.
    record Decided(Decision decision, RawRecord raw) implements HandleMessage {}

    /// Reads a record.
    ///
    /// @throws WireFormatException if it has no meaning
    static HandleMessage read(RawRecord raw) {
        return switch (raw.source()) {
            case COMPLETION -> switch (CompletionDecoder.decode(raw.value())) {
                case DecodedCompletion.Valid(Completion completion) -> new Report(completion, raw);
                case DecodedCompletion.Malformed malformed -> throw new WireFormatException(malformed.reason());
            };
            case CANCEL -> new Cancellation(Codecs.CANCELS.read(raw.value()), raw);
            case DECISION -> new Decided(Codecs.DECISIONS.read(raw.value()), raw);
        };
    }

    /// Codecs, made once.
    final class Codecs {
        private static final WireCodec<CancelCall> CANCELS = WireCodec.of(CancelCall.class);
        private static final WireCodec<Decision> DECISIONS = WireCodec.of(Decision.class);

        private Codecs() {}
    }
}
