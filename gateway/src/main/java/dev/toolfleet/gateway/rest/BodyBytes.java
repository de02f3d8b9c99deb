package dev.toolfleet.gateway.rest;

import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.Arrays;

import dev.toolfleet.http.ProblemException;
import dev.toolfleet.http.ProblemType;

/// Bytes of a body, read within bounds of size and time.
///
/// **Contract.** What is held is at most twice what has come, and [#CHUNK] at the beginning. Otherwise: clients announce
/// a megabyte each and send nothing, and the gateway's memory is full of bodies that never come.
public final class BodyBytes {
    /// The room for a body before its first byte.
    static final int CHUNK = 8 * 1024;

    private BodyBytes() {}

    /// Opens a body.
    @FunctionalInterface
    public interface Source {
        /// Returns its bytes; a client that waits for it begins to send.
        InputStream open() throws IOException;
    }

    /// Reads a body to its end.
    ///
    /// @param announced the length in its headers; negative for none
    /// @param within the longest time from the first byte to the last
    /// @throws ProblemException when it is too large, or comes too slowly
    public static byte[] read(Source source, long announced, int maxBytes, Duration within) {
        if (announced > maxBytes)
            throw tooLarge(maxBytes);
        long until = System.nanoTime() + within.toNanos();
        // One byte more than the length, so that its end is seen.
        long most = announced < 0 ? maxBytes + 1L : announced + 1;
        byte[] read = new byte[(int) Math.min(CHUNK, most)];
        int length = 0;
        try (InputStream in = source.open()) {
            for (int n; (n = in.read(read, length, read.length - length)) >= 0;) {
                length += n;
                if (length > maxBytes)
                    throw tooLarge(maxBytes);
                if (System.nanoTime() - until > 0)
                    throw Refusals.of(ProblemType.TOO_SLOW,
                            "The body has not come within " + within.toSeconds() + " s; send it faster.");
                if (length == read.length)
                    read = Arrays.copyOf(read, (int) Math.min(maxBytes + 1L, 2L * length));
            }
        } catch (IOException e) {
            throw Refusals.invalid("The body cannot be read: the connection ended, or was silent for too long.");
        }
        return Arrays.copyOf(read, length);
    }

    private static ProblemException tooLarge(int maxBytes) {
        return Refusals.of(ProblemType.TOO_LARGE, "The body has more than " + maxBytes
                + " bytes, the most that is accepted here. Keep large data elsewhere and send its address.");
    }
}
