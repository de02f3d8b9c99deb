package dev.toolfleet.worker.tools.httpfetch;

import java.io.IOException;
import java.io.InputStream;
import java.io.PushbackInputStream;
import java.util.Locale;
import java.util.zip.GZIPInputStream;
import java.util.zip.Inflater;
import java.util.zip.InflaterInputStream;

import org.jspecify.annotations.Nullable;

/// Undoes the compression of a body while it is read. Only one at a time: a body that is compressed twice keeps a
/// processor busy with very little.
final class ContentCoding {
    /// Value of the header `Accept-Encoding` of every request.
    static final String ACCEPTED = "gzip, deflate";
    private static final int ZLIB_METHOD = 8;

    private ContentCoding() {}

    /// The body as it was before it was compressed.
    ///
    /// @param coding the header `Content-Encoding`; null for none
    static InputStream decoded(InputStream body, @Nullable String coding) throws IOException {
        String name = coding == null ? "identity" : coding.strip().toLowerCase(Locale.ROOT);
        PushbackInputStream stream = new PushbackInputStream(body, 2);
        int first = stream.read();
        if (first < 0)
            return InputStream.nullInputStream();
        stream.unread(first);
        return switch (name) {
            case "identity", "" -> stream;
            case "gzip", "x-gzip" -> new GZIPInputStream(stream);
            case "deflate" -> inflated(stream);
            default -> throw new IOException("it is encoded as '" + name + "', which was not asked for");
        };
    }

    /// Some servers send the bare format where the standard requires zlib's.
    private static InputStream inflated(PushbackInputStream stream) throws IOException {
        int first = stream.read();
        int second = stream.read();
        if (second >= 0)
            stream.unread(second);
        stream.unread(first);
        boolean zlib = (first & 0x0F) == ZLIB_METHOD && ((first << 8) + second) % 31 == 0;
        return new ReleasingInflaterStream(stream, new Inflater(!zlib));
    }

    /// Frees the native memory of an inflater that the JDK does not take for its own.
    private static final class ReleasingInflaterStream extends InflaterInputStream {
        ReleasingInflaterStream(InputStream in, Inflater inflater) {
            super(in, inflater);
        }

        @Override
        public void close() throws IOException {
            inf.end();
            super.close();
        }
    }
}
