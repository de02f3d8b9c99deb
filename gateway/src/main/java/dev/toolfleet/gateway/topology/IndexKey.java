package dev.toolfleet.gateway.topology;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

import dev.toolfleet.identity.CallIdentity;
import dev.toolfleet.json.Digests;

/// Keys of the store `index`. Numbers have 8 bytes and are big endian, so calls lie in the order of their offsets.
///
/// | key | value |
/// |---|---|
/// | `K`, digest of an identity | offset of the first call with it |
/// | `I`, digest of an instance, offset of a final result | offset of its call |
/// | `N`, digest of an instance | offset of its latest call |
/// | `O`, offset of a call that has not ended | its head (`HeadCodec`) |
/// | `C`, offset of a call that has ended | its head |
/// | `R`, minute since 1970 | numbers of calls that were accepted, have ended and have failed (`MinuteCounts`) |
/// | `F` | offset behind the last call that was read |
public final class IndexKey {
    /// Key of the partition's position.
    static final byte[] POSITION = {'F'};
    private static final int DIGEST_HEX = 2 * Part.DIGEST;

    private IndexKey() {}

    /// Returns the digest under which an identity is indexed.
    public static byte[] digest(CallIdentity identity) {
        return digest(identity.text());
    }

    /// Returns the digest under which an instance is indexed.
    public static byte[] digest(String text) {
        return Arrays.copyOf(Digests.newSha256().digest(text.getBytes(StandardCharsets.UTF_8)), Part.DIGEST);
    }

    /// True for the hexadecimal text of a digest.
    public static boolean isDigest(String hex) {
        return hex.length() == DIGEST_HEX && hex.chars().allMatch(c -> Character.digit(c, 16) >= 0 && c < 128);
    }

    static byte[] identity(byte[] digest) {
        return one('K', digest);
    }

    static byte[] instance(byte[] digest) {
        return one('N', digest);
    }

    /// Returns the key of a final result of an instance.
    static byte[] result(byte[] instance, long resultOffset) {
        return ByteBuffer.allocate(1 + Part.DIGEST + Long.BYTES).put((byte) 'I').put(instance).putLong(resultOffset)
                .array();
    }

    /// Returns the offset in the key of a final result.
    static long resultOffset(byte[] key) {
        return ByteBuffer.wrap(key).getLong(1 + Part.DIGEST);
    }

    static byte[] unended(long call) {
        return one('O', offset(call));
    }

    static byte[] ended(long call) {
        return one('C', offset(call));
    }

    static byte[] minute(long minute) {
        return one('R', offset(minute));
    }

    /// Returns the call's offset in the key of a head, and the minute in that of counts.
    static long number(byte[] key) {
        return ByteBuffer.wrap(key).getLong(1);
    }

    static byte[] offset(long offset) {
        return ByteBuffer.allocate(Long.BYTES).putLong(offset).array();
    }

    static long offset(byte[] value) {
        return ByteBuffer.wrap(value).getLong();
    }

    private static byte[] one(char kind, byte[] digest) {
        return ByteBuffer.allocate(1 + digest.length).put((byte) kind).put(digest).array();
    }
}
