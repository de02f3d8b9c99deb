package dev.toolfleet.hosts;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// Splits a stream of bytes into lines of bounded length. Copies a line only if it lies in two reads.
///
/// **Threads.** One.
final class LineSplitter {
    private static final int BUFFER = 1 << 16;
    /// Bytes of a line that is too long which a reader gets.
    static final int SHOWN = 256;

    private final int longest;
    private final Sink sink;
    private final ByteArrayOutputStream part = new ByteArrayOutputStream();
    private boolean overflows;

    /// Receiver of lines.
    interface Sink {
        /// Takes a line without its end; the array is reused afterwards.
        void line(byte[] bytes, int from, int length);

        /// Takes the beginning of a line that is too long.
        void tooLong(String beginning);

        /// Learns that all lines of one read were taken.
        default void readEnd() {}
    }

    /// @param longest the most bytes of a line
    LineSplitter(int longest, Sink sink) {
        this.longest = longest;
        this.sink = sink;
    }

    /// Reads to the end of the stream. A last line without its end counts too.
    void readAll(InputStream in) throws IOException {
        byte[] buffer = new byte[BUFFER];
        for (int count = in.read(buffer); count >= 0; count = in.read(buffer))
            take(buffer, count);
        if (part.size() > 0 || overflows)
            end(buffer, 0, 0);
    }

    private void take(byte[] buffer, int count) {
        int from = 0;
        for (int at = 0; at < count; at++) {
            if (buffer[at] == '\n') {
                end(buffer, from, at - from);
                from = at + 1;
            }
        }
        keep(buffer, from, count - from);
        sink.readEnd();
    }

    private void end(byte[] buffer, int from, int length) {
        if (part.size() == 0 && !overflows && length <= longest) {
            sink.line(buffer, from, length);
            return;
        }
        keep(buffer, from, length);
        byte[] line = part.toByteArray();
        boolean tooLong = overflows;
        part.reset();
        overflows = false;
        if (tooLong)
            sink.tooLong(new String(Arrays.copyOf(line, Math.min(line.length, SHOWN)), StandardCharsets.UTF_8));
        else
            sink.line(line, 0, line.length);
    }

    private void keep(byte[] buffer, int from, int length) {
        overflows |= part.size() + length > longest;
        part.write(buffer, from, overflows ? Math.clamp(SHOWN - part.size(), 0, length) : length);
    }
}
