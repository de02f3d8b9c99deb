package dev.toolfleet.gateway.topology;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

import dev.toolfleet.wire.WireFormatException;

/// Kind of a part of a call. Its code is the ninth byte of a key in the store `calls`, behind the call's offset; so the
/// parts of a call lie together, and calls lie in the order of their offsets. Numbers are big endian.
///
/// | part | rest of the key | value |
/// |---|---|---|
/// | `CALL` | | time, digest of the identity, digest of the instance, the call |
/// | `WAIT` | handle | deadline, [dev.toolfleet.gateway.calls.CallWait] |
/// | `END` | handle | time |
/// | `DECISION` | partition and offset on `tool.decision` | time, the decision |
/// | `PROGRESS` | offset on `tool.progress` | time, the progress |
/// | `RESULT` | offset on `tool.result` | time, 1 if it is final, digest of the instance, the result |
enum Part {
    /// The call as it was accepted.
    CALL(0),
    /// An open or ended wait.
    WAIT(1),
    /// The end of a wait.
    END(2),
    /// A decision about a wait.
    DECISION(3),
    /// One report of progress.
    PROGRESS(4),
    /// A pending or final result.
    RESULT(5);

    /// Length of the digests of identities and instances.
    static final int DIGEST = 16;
    /// Length of a call's offset in a key.
    static final int OFFSET = Long.BYTES;

    private final byte code;

    Part(int code) {
        this.code = (byte) code;
    }

    /// Returns the common beginning of a call's keys.
    static byte[] keysOf(long callOffset) {
        return ByteBuffer.allocate(OFFSET).putLong(callOffset).array();
    }

    /// Returns the common beginning of the keys of this part of a call.
    byte[] keysOfPart(long callOffset) {
        return ByteBuffer.allocate(OFFSET + 1).putLong(callOffset).put(code).array();
    }

    /// Returns the key of the only part of its kind.
    byte[] key(long callOffset) {
        return keysOfPart(callOffset);
    }

    /// Returns the key of the part with this offset.
    byte[] key(long callOffset, long offset) {
        return ByteBuffer.allocate(OFFSET + 1 + Long.BYTES).putLong(callOffset).put(code).putLong(offset)
                .array();
    }

    /// Returns the key of the part with this place.
    byte[] key(long callOffset, int partition, long offset) {
        return ByteBuffer.allocate(OFFSET + 1 + Integer.BYTES + Long.BYTES).putLong(callOffset).put(code)
                .putInt(partition).putLong(offset).array();
    }

    /// Returns the key of the part with this handle.
    byte[] key(long callOffset, String handle) {
        byte[] text = handle.getBytes(StandardCharsets.UTF_8);
        return ByteBuffer.allocate(OFFSET + 1 + text.length).putLong(callOffset).put(code).put(text)
                .array();
    }

    /// Returns the kind of the part with a key.
    ///
    /// @throws WireFormatException for a kind of a later version
    static Part of(byte[] key) {
        for (Part part : values()) {
            if (part.code == key[OFFSET])
                return part;
        }
        throw new WireFormatException("a part of a call expected, got the code " + key[OFFSET]);
    }

    static long callOffset(byte[] key) {
        return ByteBuffer.wrap(key).getLong();
    }

    /// Returns the offset behind the kind of the part.
    static long offset(byte[] key) {
        return ByteBuffer.wrap(key).getLong(OFFSET + 1);
    }

    /// Returns the handle behind the kind of the part.
    static String handle(byte[] key) {
        return new String(key, OFFSET + 1, key.length - OFFSET - 1, StandardCharsets.UTF_8);
    }

    /// Returns the first eight bytes of a value: a time in milliseconds.
    static long time(byte[] value) {
        return ByteBuffer.wrap(value).getLong();
    }

    static byte[] timed(long millis, byte[] rest) {
        return ByteBuffer.allocate(Long.BYTES + rest.length).putLong(millis).put(rest).array();
    }

    static byte[] afterTime(byte[] value) {
        return Arrays.copyOfRange(value, Long.BYTES, value.length);
    }
}
