package dev.toolfleet.worker.completion;

import java.util.Arrays;

import dev.toolfleet.wire.WireCodec;
import dev.toolfleet.wire.WireFormatException;
import org.jspecify.annotations.Nullable;

/// Codec of handle states: one letter for the kind, then its JSON, which evolves by addition as wire records do.
///
/// **Why.** An approval with conditions has a letter of its own, and so has one that counts people. An older version
/// then finds the state unreadable and decides nothing. Otherwise: a version without conditions reads it after a
/// rollback, and grants a call that this version would not grant.
final class StateCodec {
    private static final WireCodec<PendingHandle> OPEN = WireCodec.exact(PendingHandle.class);
    private static final WireCodec<EndedHandle> ENDED = WireCodec.exact(EndedHandle.class);
    private static final WireCodec<EarlyHandle> EARLY = WireCodec.exact(EarlyHandle.class);

    private StateCodec() {}

    /// Returns the bytes; null for an unknown handle.
    static byte @Nullable [] write(HandleLifecycle state) {
        return switch (state) {
            case UnknownHandle _ -> null;
            case PendingHandle open -> tagged(tag(open), OPEN.write(open));
            case EndedHandle ended -> tagged('E', ENDED.write(ended));
            case EarlyHandle early -> tagged('W', EARLY.write(early));
            case UnreadableHandle _ -> throw new IllegalArgumentException("its bytes stay as they are");
        };
    }

    /// Returns the state.
    ///
    /// @throws WireFormatException if another version wrote a form that this one does not know
    static HandleLifecycle read(byte @Nullable [] bytes) {
        if (bytes == null)
            return UnknownHandle.HANDLE;
        byte[] json = bytes.length == 0 ? bytes : Arrays.copyOfRange(bytes, 1, bytes.length);
        return switch (bytes.length == 0 ? ' ' : (char) bytes[0]) {
            case 'O', 'C', 'Q' -> OPEN.read(json);
            case 'E' -> ENDED.read(json);
            case 'W' -> understood(EARLY.read(json));
            default -> throw new WireFormatException("a state of a handle expected");
        };
    }

    /// Checks the kept records: another version may have kept one that this version cannot judge.
    private static EarlyHandle understood(EarlyHandle early) {
        early.said().forEach(HandleMessage::read);
        return early;
    }

    private static char tag(PendingHandle open) {
        return open.isNamed() ? 'Q' : open.isConditional() ? 'C' : 'O';
    }

    private static byte[] tagged(char tag, byte[] json) {
        byte[] bytes = new byte[json.length + 1];
        bytes[0] = (byte) tag;
        System.arraycopy(json, 0, bytes, 1, json.length);
        return bytes;
    }
}
