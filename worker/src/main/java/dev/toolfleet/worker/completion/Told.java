package dev.toolfleet.worker.completion;

import dev.toolfleet.wire.CancelCall;
import dev.toolfleet.wire.Completion;
import dev.toolfleet.wire.CompletionDecoder;
import dev.toolfleet.wire.Decision;
import dev.toolfleet.wire.DecodedCompletion;
import dev.toolfleet.wire.WireCodec;
import dev.toolfleet.wire.WireFormatException;

/// Record that names a handle, read.
sealed interface Told {
    /// Returns the unread record.
    Raw raw();

    /// Progress or an end, from the work or its completer.
    record Said(Completion completion, Raw raw) implements Told {}

    /// A cancellation: the work is no longer needed.
    record Unwanted(CancelCall cancel, Raw raw) implements Told {}

    /// A person decided about the call.
    record Decided(Decision decision, Raw raw) implements Told {}

    /// Reads a record.
    ///
    /// @throws WireFormatException if it has no meaning
    static Told read(Raw raw) {
        return switch (raw.source()) {
            case COMPLETION -> switch (CompletionDecoder.decode(raw.value())) {
                case DecodedCompletion.Valid(Completion completion) -> new Said(completion, raw);
                case DecodedCompletion.Malformed malformed -> throw new WireFormatException(malformed.reason());
            };
            case CANCEL -> new Unwanted(Codecs.CANCELS.read(raw.value()), raw);
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
