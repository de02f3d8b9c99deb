package dev.toolfleet.json;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.concurrent.atomic.AtomicReferenceArray;

/// SHA-256 digests in the form `sha256:<64 hex digits>`.
public final class Digests {
    private static final HexFormat HEX = HexFormat.of();
    /// Never updated. Copying it costs less than a new one from the platform's providers, which every call would
    /// request.
    private static final MessageDigest FRESH = looked();
    /// Computations that no thread uses at the moment; a power of two. A call of a worker needs three, which would be a
    /// twentieth of its memory.
    private static final AtomicReferenceArray<MessageDigest> IDLE = new AtomicReferenceArray<>(16);

    private Digests() {}

    /// The digest of the UTF-8 bytes of `text`.
    public static String sha256(String text) {
        return sha256(text.getBytes(StandardCharsets.UTF_8));
    }

    /// The digest of `bytes`.
    public static String sha256(byte[] bytes) {
        return of(digest(bytes, bytes.length));
    }

    /// Returns the digest of the first `length` bytes, 32 bytes. Thread-safe.
    public static byte[] digest(byte[] bytes, int length) {
        int place = (int) Thread.currentThread().threadId() & (IDLE.length() - 1);
        // The thread that takes a computation out is its only user until it puts it back.
        MessageDigest idle = IDLE.getAndSet(place, null);
        MessageDigest digest = idle == null ? newSha256() : idle;
        digest.update(bytes, 0, length);
        byte[] finished = digest.digest();
        IDLE.lazySet(place, digest);
        return finished;
    }

    /// The text form of a finished digest.
    public static String of(byte[] digest) {
        return "sha256:" + HEX.formatHex(digest);
    }

    /// Returns a fresh SHA-256 computation, for content too large to hold in memory.
    public static MessageDigest newSha256() {
        try {
            return (MessageDigest) FRESH.clone();
        } catch (CloneNotSupportedException e) {
            return looked();
        }
    }

    private static MessageDigest looked() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
