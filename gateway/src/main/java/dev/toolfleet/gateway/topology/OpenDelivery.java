package dev.toolfleet.gateway.topology;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

import dev.toolfleet.error.ErrorCode;
import dev.toolfleet.identity.CallIdentity;
import dev.toolfleet.json.Digests;
import dev.toolfleet.wire.Callback;
import dev.toolfleet.wire.ToolError;
import dev.toolfleet.wire.ToolResult;
import dev.toolfleet.wire.WireCodec;
import dev.toolfleet.wire.WireFormatException;

/// State of a delivery that has not ended, as the store holds it. A call with a callback and without a final result has
/// one too, which is not due yet.
///
/// @param id the delivery's id
/// @param since the time at which the call was appended, then the time at which the first attempt was due; in epoch
///        milliseconds
/// @param failed the number of attempts that failed
/// @param resultOffset the offset of the result; -1 before there is one
/// @param bytes the size of the result
/// @param callback the header's text, which may be unreadable
record OpenDelivery(String id, long since, int failed, long resultOffset, int bytes, String callback) {
    private static final WireCodec<OpenDelivery> CODEC = WireCodec.of(OpenDelivery.class);
    private static final WireCodec<Callback> CALLBACKS = WireCodec.of(Callback.class);
    private static final WireCodec<ToolResult> RESULTS = WireCodec.of(ToolResult.class);
    private static final int ID_BYTES = 16;
    /// The longest header that is kept. A longer one is cut, and so it is unreadable.
    private static final int MAX_CALLBACK = 4096;

    /// Key of a call that has a callback and no final result yet.
    static byte[] waiting(long callOffset) {
        return key('w', callOffset);
    }

    /// Key of the result of an open delivery.
    static byte[] body(long callOffset) {
        return key('b', callOffset);
    }

    /// Key of an open delivery. Keys are in the order of their times.
    static byte[] due(long millis, long callOffset) {
        return ByteBuffer.allocate(1 + 2 * Long.BYTES).put((byte) 'd').putLong(millis).putLong(callOffset).array();
    }

    private static byte[] key(char kind, long callOffset) {
        return ByteBuffer.allocate(1 + Long.BYTES).put((byte) kind).putLong(callOffset).array();
    }

    /// The first key of a kind.
    static byte[] first(char kind) {
        return new byte[]{(byte) kind};
    }

    /// The offset at the end of a key of any kind.
    static long callOffset(byte[] key) {
        return ByteBuffer.wrap(key).getLong(key.length - Long.BYTES);
    }

    /// Returns the state of a call without result.
    ///
    /// @param callback the header's text
    /// @param at the time at which the call was appended
    static OpenDelivery of(CallIdentity identity, String callback, long at) {
        return new OpenDelivery(id(identity), at, 0, -1, 0,
                callback.substring(0, Math.min(callback.length(), MAX_CALLBACK)));
    }

    /// Returns the state with a final result.
    ///
    /// @param now the time at which the first attempt is due
    OpenDelivery answered(int partition, long callOffset, long offset, byte[] result, long now) {
        // A refused call is another call than the one whose identity it claims. Otherwise: the receiver takes the answer
        // of one for that of the other.
        String name = isConflict(result) ? id(CallIdentity.ofRecord(partition, callOffset)) : id;
        return new OpenDelivery(name, now, 0, offset, result.length, callback);
    }

    private static boolean isConflict(byte[] result) {
        try {
            ToolError error = RESULTS.read(result).error();
            return error != null && error.code().equals(ErrorCode.E_CALL_IDENTITY_CONFLICT.name());
        } catch (WireFormatException e) {
            return false;
        }
    }

    /// Returns the id of deliveries of a call. Records that are the same call have one id, so that a receiver that knows
    /// ids acts once for all of them.
    static String id(CallIdentity identity) {
        byte[] digest = Digests.newSha256().digest(identity.text().getBytes(StandardCharsets.UTF_8));
        return "call_" + HexFormat.of().formatHex(digest, 0, ID_BYTES);
    }

    OpenDelivery failedOnceMore() {
        return new OpenDelivery(id, since, failed + 1, resultOffset, bytes, callback);
    }

    /// The address.
    ///
    /// @throws WireFormatException when the header is unreadable
    Callback address() {
        return CALLBACKS.read(callback.getBytes(StandardCharsets.UTF_8));
    }

    byte[] write() {
        return CODEC.write(this);
    }

    static OpenDelivery read(byte[] value) {
        return CODEC.read(value);
    }
}
