package dev.toolfleet.worker.identity;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

import dev.toolfleet.json.Digests;
import org.jspecify.annotations.Nullable;

/// The first 128 bits of a text's SHA-256. The deduplication window keeps these instead of identities of up to some
/// thousand characters.
///
/// @param high the first 64 bits
/// @param low the next
public record Digest128(long high, long low) {
    private static final String SHA256 = "sha256:";
    private static final int DIGITS = 32;
    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

    /// Returns the first half of a fingerprint, `sha256:` and 64 hexadecimal digits; for any other text, its digest
    /// [#of].
    public static Digest128 ofFingerprint(String fingerprint) {
        if (fingerprint.startsWith(SHA256) && fingerprint.length() == SHA256.length() + 64) {
            try {
                int from = SHA256.length();
                return new Digest128(Long.parseUnsignedLong(fingerprint, from, from + 16, 16),
                        Long.parseUnsignedLong(fingerprint, from + 16, from + 32, 16));
            } catch (NumberFormatException e) {
                // The text has another form.
            }
        }
        return of(fingerprint);
    }

    /// Reads [#hex]. Returns null for any other text.
    static @Nullable Digest128 ofHex(String text) {
        if (text.length() != DIGITS || !text.chars().allMatch(c -> Character.digit(c, 16) >= 0))
            return null;
        return new Digest128(Long.parseUnsignedLong(text, 0, DIGITS / 2, 16),
                Long.parseUnsignedLong(text, DIGITS / 2, DIGITS, 16));
    }

    /// Returns its 32 hexadecimal digits.
    public String hex() {
        byte[] digits = new byte[DIGITS];
        for (int i = 0; i < DIGITS / 2; i++) {
            int shift = 60 - 4 * i;
            digits[i] = (byte) Character.forDigit((int) (high >>> shift) & 0xf, 16);
            digits[DIGITS / 2 + i] = (byte) Character.forDigit((int) (low >>> shift) & 0xf, 16);
        }
        return new String(digits, StandardCharsets.ISO_8859_1);
    }

    /// Returns the digest of `text` in UTF-8.
    public static Digest128 of(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        return ofSha256(Digests.digest(bytes, bytes.length));
    }

    /// Returns the first half of a SHA-256.
    public static Digest128 ofSha256(byte[] digest) {
        return new Digest128((long) LONGS.get(digest, 0), (long) LONGS.get(digest, Long.BYTES));
    }
}
