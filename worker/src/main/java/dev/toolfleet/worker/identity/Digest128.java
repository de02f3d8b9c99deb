package dev.toolfleet.worker.identity;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

import dev.toolfleet.json.Digests;

/// The first 128 bits of a text's SHA-256. The deduplication window keeps these instead of identities of up to some
/// thousand characters.
///
/// @param high the first 64 bits
/// @param low the next
public record Digest128(long high, long low) {
    private static final String SHA256 = "sha256:";

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

    /// Returns the digest of `text` in UTF-8.
    public static Digest128 of(String text) {
        ByteBuffer bytes = ByteBuffer.wrap(Digests.newSha256().digest(text.getBytes(StandardCharsets.UTF_8)));
        return new Digest128(bytes.getLong(), bytes.getLong());
    }
}
