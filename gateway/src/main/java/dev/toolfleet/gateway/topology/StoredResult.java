package dev.toolfleet.gateway.topology;

import java.nio.ByteBuffer;
import java.util.Arrays;

/// Value of the part [Part#RESULT].
///
/// @param at the time at which the broker appended the result
/// @param isFinal true if no other result follows
/// @param instance digest of the instance
/// @param record the result as it stands on its topic
@SuppressWarnings("ArrayRecordComponent") // never compared, and the bytes never change
record StoredResult(long at, boolean isFinal, byte[] instance, byte[] record) {
    private static final int HEAD = Long.BYTES + 1 + Part.DIGEST;

    byte[] write() {
        return ByteBuffer.allocate(HEAD + record.length).putLong(at).put((byte) (isFinal ? 1 : 0)).put(instance)
                .put(record).array();
    }

    static StoredResult read(byte[] value) {
        return new StoredResult(Part.time(value), isFinal(value),
                Arrays.copyOfRange(value, Long.BYTES + 1, HEAD), Arrays.copyOfRange(value, HEAD, value.length));
    }

    static boolean isFinal(byte[] value) {
        return value[Long.BYTES] == 1;
    }
}
