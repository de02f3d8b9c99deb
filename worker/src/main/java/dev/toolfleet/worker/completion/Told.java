package dev.toolfleet.worker.completion;

import dev.toolfleet.wire.CancelCall;
import dev.toolfleet.wire.Completion;
import dev.toolfleet.wire.CompletionDecoder;
import dev.toolfleet.wire.DecodedCompletion;
import dev.toolfleet.wire.WireCodec;
import dev.toolfleet.wire.WireFormatException;

/// What somebody says by handle.
sealed interface Told {
    /// The record that said so.
    Raw raw();

    /// The work, or whoever completes it, says something.
    record Said(Completion completion, Raw raw) implements Told {}

    /// Nobody wants the work any more.
    record Unwanted(CancelCall cancel, Raw raw) implements Told {}

    /// Reads a record.
    ///
    /// @throws WireFormatException when it says nothing
    static Told read(Raw raw) {
        return switch (raw.source()) {
            case COMPLETION -> switch (CompletionDecoder.decode(raw.value())) {
                case DecodedCompletion.Valid(Completion completion) -> new Said(completion, raw);
                case DecodedCompletion.Malformed malformed -> throw new WireFormatException(malformed.reason());
            };
            case CANCEL -> new Unwanted(Cancels.CODEC.read(raw.value()), raw);
        };
    }

    /// Made once.
    final class Cancels {
        private static final WireCodec<CancelCall> CODEC = WireCodec.of(CancelCall.class);

        private Cancels() {}
    }
}
