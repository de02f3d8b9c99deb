package dev.toolfleet.gateway.topology;

import java.nio.ByteBuffer;
import java.util.Arrays;

/// Value of the part [Part#CALL].
///
/// @param at the time at which the broker appended the call
/// @param identity digest of the call's identity; zeros for a call that is identified by its record
/// @param instance digest of the instance
/// @param record the call as it stands on its topic
@SuppressWarnings("ArrayRecordComponent") // never compared, and the bytes never change
record StoredCall(long at, byte[] identity, byte[] instance, byte[] record) {
    private static final byte[] NONE = new byte[Part.DIGEST];
    private static final int HEAD = Long.BYTES + 2 * Part.DIGEST;

    /// Returns the identity of a call without one.
    static byte[] noIdentity() {
        return NONE.clone();
    }

    boolean hasIdentity() {
        return !Arrays.equals(identity, NONE);
    }

    byte[] write() {
        return ByteBuffer.allocate(HEAD + record.length).putLong(at).put(identity).put(instance).put(record).array();
    }

    static StoredCall read(byte[] value) {
        return new StoredCall(Part.time(value), Arrays.copyOfRange(value, Long.BYTES, Long.BYTES + Part.DIGEST),
                Arrays.copyOfRange(value, Long.BYTES + Part.DIGEST, HEAD),
                Arrays.copyOfRange(value, HEAD, value.length));
    }
}
