package dev.toolfleet.worker.egress;

import java.io.ByteArrayOutputStream;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/// First message of a TLS client (RFC 8446, 4.1.2), read for the name of the requested server (RFC 6066, 3). Pure.
sealed interface ClientHello {
    /// More bytes are needed.
    record Incomplete() implements ClientHello {}

    /// The bytes are not TLS.
    record NotTls() implements ClientHello {}

    /// The bytes begin like TLS and are no ClientHello that can be read.
    record Unreadable() implements ClientHello {}

    /// It names no server.
    record Unnamed() implements ClientHello {}

    /// It requests this server.
    record Named(String host) implements ClientHello {}

    /// The record type of handshakes, the first byte of TLS.
    int HANDSHAKE = 22;

    /// Reads the beginning of what a client sends; the position stays.
    static ClientHello read(ByteBuffer sent) {
        ByteBuffer bytes = sent.duplicate();
        if (!bytes.hasRemaining())
            return new Incomplete();
        if (bytes.get(bytes.position()) != HANDSHAKE)
            return new NotTls();
        try {
            return handshake(bytes);
        } catch (BufferUnderflowException e) {
            // A length that points behind the end of its message.
            return new Unreadable();
        }
    }

    /// Puts the message together, which may be spread over records.
    private static ClientHello handshake(ByteBuffer records) {
        ByteArrayOutputStream message = new ByteArrayOutputStream();
        while (records.remaining() >= 5) {
            int type = records.get();
            int major = records.get();
            int _ = records.get();
            int length = Short.toUnsignedInt(records.getShort());
            if (type != HANDSHAKE || major != 3 || length == 0)
                return new Unreadable();
            int there = Math.min(length, records.remaining());
            message.writeBytes(bytes(records, there));
            ByteBuffer soFar = ByteBuffer.wrap(message.toByteArray());
            if (soFar.remaining() >= 4) {
                int head = soFar.getInt();
                if (head >>> 24 != 1)
                    return new Unreadable();
                if (soFar.remaining() >= (head & 0xffffff))
                    return hello(soFar.slice(soFar.position(), head & 0xffffff));
            }
            if (there < length)
                return new Incomplete();
        }
        return new Incomplete();
    }

    private static ClientHello hello(ByteBuffer hello) {
        bytes(hello, 2 + 32);
        bytes(hello, Byte.toUnsignedInt(hello.get()));
        bytes(hello, Short.toUnsignedInt(hello.getShort()));
        bytes(hello, Byte.toUnsignedInt(hello.get()));
        ClientHello found = new Unnamed();
        if (!hello.hasRemaining())
            return found;
        ByteBuffer extensions = part(hello);
        if (hello.hasRemaining())
            return new Unreadable();
        while (extensions.hasRemaining()) {
            int type = extensions.getShort();
            ByteBuffer extension = part(extensions);
            if (type != 0)
                continue;
            // Two names: this proxy and the server could each take another one.
            if (!(found instanceof Unnamed))
                return new Unreadable();
            found = name(extension);
        }
        return found;
    }

    private static ClientHello name(ByteBuffer extension) {
        ByteBuffer names = part(extension);
        boolean isHost = names.get() == 0;
        String name = new String(bytes(names, Short.toUnsignedInt(names.getShort())), StandardCharsets.ISO_8859_1);
        return isHost && !names.hasRemaining() && !extension.hasRemaining() ? new Named(name) : new Unreadable();
    }

    /// The bytes behind a length of two bytes.
    private static ByteBuffer part(ByteBuffer from) {
        return ByteBuffer.wrap(bytes(from, Short.toUnsignedInt(from.getShort())));
    }

    private static byte[] bytes(ByteBuffer from, int count) {
        byte[] bytes = new byte[Math.min(count, from.remaining() + 1)];
        from.get(bytes);
        return bytes;
    }
}
