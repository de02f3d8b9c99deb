package dev.toolfleet.mcp.rpc;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.json.JsonFactory;

/// Reader of messages that are one line each.
///
/// **Contract.** It keeps at most one line of at most the limit in memory. A longer line is passed over, and the id of
/// its message is looked for on the way: so an answer that is too large ends its own request and no other. A line of more
/// than [#LONGEST] limits ends the stream.
///
/// **Threads.** One reader.
public final class LineReader {
    /// The longest line that is passed over, in limits.
    static final int LONGEST = 16;
    private static final int FIRST = 8_192;
    private static final JsonFactory PARSERS = new JsonFactory();

    private final InputStream in;
    private final int maxBytes;
    private final byte[] chunk = new byte[FIRST];
    private int from;
    private int to;

    /// A reader of lines of at most `maxBytes` bytes.
    public LineReader(InputStream in, int maxBytes) {
        this.in = in;
        this.maxBytes = maxBytes;
    }

    /// Returns the next line that is not empty; null at the end of the stream. What stands behind the last end of a line
    /// is a line too.
    public @Nullable Line next() throws IOException {
        while (true) {
            ByteArrayOutputStream line = new ByteArrayOutputStream(FIRST);
            End ending = fill(line);
            if (ending == End.LIMIT)
                return tooLong(line);
            byte[] bytes = trimmed(line);
            if (bytes.length > 0)
                return new Line.Whole(bytes);
            if (ending == End.STREAM)
                return null;
        }
    }

    private enum End {
        LINE, STREAM, LIMIT
    }

    private End fill(ByteArrayOutputStream line) throws IOException {
        while (true) {
            if (from == to && !more())
                return End.STREAM;
            int end = lineEnd();
            int length = Math.min(end - from, maxBytes + 1 - line.size());
            line.write(chunk, from, length);
            from += length;
            if (line.size() > maxBytes)
                return End.LIMIT;
            if (from < to) {
                from++;
                return End.LINE;
            }
        }
    }

    private boolean more() throws IOException {
        from = 0;
        to = Math.max(0, in.read(chunk));
        return to > 0;
    }

    private int lineEnd() {
        for (int i = from; i < to; i++) {
            if (chunk[i] == '\n')
                return i;
        }
        return to;
    }

    private static byte[] trimmed(ByteArrayOutputStream line) {
        byte[] bytes = line.toByteArray();
        return bytes.length > 0 && bytes[bytes.length - 1] == '\r'
                ? java.util.Arrays.copyOf(bytes, bytes.length - 1)
                : bytes;
    }

    private Line tooLong(ByteArrayOutputStream begun) throws IOException {
        RestOfLine rest = new RestOfLine();
        RpcId id = null;
        try (JsonParser parser = PARSERS.createParser(tools.jackson.core.ObjectReadContext.empty(),
                new SequenceInputStream(new java.io.ByteArrayInputStream(begun.toByteArray()), rest))) {
            id = idOf(parser);
        } catch (JacksonException e) {
            // No JSON, or the stream ended: no id.
        }
        rest.drain();
        return new Line.TooLong(id, begun.size() + rest.read);
    }

    private static @Nullable RpcId idOf(JsonParser parser) {
        if (parser.nextToken() != JsonToken.START_OBJECT)
            return null;
        while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
            boolean found = parser.currentName().equals("id");
            JsonToken value = parser.nextToken();
            if (found && value == JsonToken.VALUE_NUMBER_INT)
                return new RpcId.Whole(parser.getLongValue());
            if (found && value == JsonToken.VALUE_STRING)
                return new RpcId.Text(parser.getString());
            parser.skipChildren();
        }
        return null;
    }

    /// The bytes up to the end of the line.
    private final class RestOfLine extends InputStream {
        private long read;
        private boolean ended;

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] into, int offset, int length) throws IOException {
            if (ended || length == 0)
                return ended ? -1 : 0;
            if (from == to && !more()) {
                ended = true;
                return -1;
            }
            int count = Math.min(lineEnd() - from, length);
            System.arraycopy(chunk, from, into, offset, count);
            from += count;
            read += count;
            checkLength();
            if (from < to && chunk[from] == '\n') {
                from++;
                ended = true;
            }
            return count == 0 ? -1 : count;
        }

        /// Reads to the end of the line. The parser may have swallowed the exception of an earlier read.
        void drain() throws IOException {
            byte[] sink = new byte[FIRST];
            do
                checkLength();
            while (read(sink, 0, sink.length) >= 0);
        }

        private void checkLength() throws EOFException {
            if (read > (long) maxBytes * LONGEST)
                throw new EOFException("a line does not end within " + read + " bytes");
        }
    }
}
