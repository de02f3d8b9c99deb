package dev.toolfleet.worker.egress;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;

/// Bytes that a command sends to its proxy: first the head of a request, then bytes for the server. For one thread.
final class ClientStream {
    private static final int BUFFER = 16 * 1024;
    private static final String END = "\r\n\r\n";
    private static final int MAX_LINE = 1024;

    private final SocketChannel channel;
    private final ByteBuffer buffer = ByteBuffer.allocate(BUFFER).flip();

    /// Takes bytes for the server.
    @FunctionalInterface
    interface Sink {
        void take(ByteBuffer bytes) throws IOException;
    }

    ClientStream(SocketChannel channel) {
        this.channel = channel;
    }

    /// The head of a request, without the empty line that ends it.
    ///
    /// @throws EOFException when the command closes before
    /// @throws RequestHead.Unreadable when it is larger than the buffer
    String head() throws IOException, RequestHead.Unreadable {
        while (true) {
            String seen = StandardCharsets.ISO_8859_1.decode(buffer.duplicate()).toString();
            int end = seen.indexOf(END);
            if (end >= 0) {
                buffer.position(buffer.position() + end + END.length());
                return seen.substring(0, end);
            }
            if (buffer.remaining() == BUFFER)
                throw new RequestHead.Unreadable("The request has more than " + BUFFER + " bytes of headers.");
            more();
        }
    }

    /// The beginning of what goes to the server, which stays to be copied. Waits for the first byte, and in TLS for the
    /// whole ClientHello; one that does not fit into the buffer is unreadable.
    ClientHello hello() throws IOException {
        while (true) {
            ClientHello hello = ClientHello.read(buffer);
            if (!(hello instanceof ClientHello.Incomplete))
                return hello;
            if (buffer.remaining() == BUFFER || !filled())
                return buffer.hasRemaining() ? new ClientHello.Unreadable() : new ClientHello.NotTls();
        }
    }

    /// Copies all that comes, to the end.
    void copyAll(Sink sink) throws IOException {
        while (true) {
            if (buffer.hasRemaining())
                sink.take(buffer);
            buffer.clear();
            int read = channel.read(buffer);
            buffer.flip();
            if (read < 0)
                return;
        }
    }

    /// Copies `bytes` bytes.
    void copy(long bytes, Sink sink) throws IOException {
        for (long left = bytes; left > 0;) {
            if (!buffer.hasRemaining())
                more();
            int count = (int) Math.min(left, buffer.remaining());
            sink.take(buffer.slice(buffer.position(), count));
            buffer.position(buffer.position() + count);
            left -= count;
        }
    }

    /// Copies a body in chunks, with its trailers.
    void copyChunks(Sink sink) throws IOException, RequestHead.Unreadable {
        long size;
        do {
            String line = line();
            int semicolon = (line + ";").indexOf(';');
            String digits = line.substring(0, semicolon).strip();
            if (!digits.matches("[0-9a-fA-F]{1,15}"))
                throw new RequestHead.Unreadable("The request has a chunk without a length.");
            size = Long.parseLong(digits, 16);
            sink.take(bytes(line));
            if (size > 0) {
                copy(size, sink);
                String end = line();
                if (!end.isEmpty())
                    throw new RequestHead.Unreadable("The request has a chunk that is longer than its length.");
                sink.take(bytes(end));
            }
        } while (size > 0);
        String trailer;
        do {
            trailer = line();
            sink.take(bytes(trailer));
        } while (!trailer.isEmpty());
    }

    private static ByteBuffer bytes(String line) {
        return ByteBuffer.wrap((line + "\r\n").getBytes(StandardCharsets.ISO_8859_1));
    }

    private String line() throws IOException, RequestHead.Unreadable {
        StringBuilder line = new StringBuilder();
        while (line.length() < MAX_LINE) {
            if (!buffer.hasRemaining())
                more();
            char c = (char) (buffer.get() & 0xff);
            if (c == '\n' && !line.isEmpty() && line.charAt(line.length() - 1) == '\r')
                return line.substring(0, line.length() - 1);
            line.append(c);
        }
        throw new RequestHead.Unreadable("The request has a chunk whose first line is too long.");
    }

    private void more() throws IOException {
        if (!filled())
            throw new EOFException("closed in the middle of a request");
    }

    /// Reads more; false at the end.
    private boolean filled() throws IOException {
        buffer.compact();
        int read = channel.read(buffer);
        buffer.flip();
        return read >= 0;
    }
}
