package dev.toolfleet.worker.egress;

import java.nio.ByteBuffer;
import java.util.List;

import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;

/// First messages of a TLS client, as the JDK writes them.
final class Hellos {
    private Hellos() {}

    /// One that asks for a server.
    static byte[] named(String host) throws Exception {
        return of(List.of(new SNIHostName(host)));
    }

    /// One that names no server.
    static byte[] unnamed() throws Exception {
        return of(List.of());
    }

    private static byte[] of(List<SNIHostName> names) throws Exception {
        SSLEngine client = SSLContext.getDefault().createSSLEngine();
        client.setUseClientMode(true);
        SSLParameters parameters = client.getSSLParameters();
        parameters.setServerNames(List.copyOf(names));
        client.setSSLParameters(parameters);
        ByteBuffer sent = ByteBuffer.allocate(client.getSession().getPacketBufferSize());
        client.wrap(ByteBuffer.allocate(0), sent);
        byte[] hello = new byte[sent.flip().remaining()];
        sent.get(hello);
        return hello;
    }

    /// The same message in records of so many bytes each.
    static byte[] inRecords(byte[] hello, int size) {
        ByteBuffer spread = ByteBuffer.allocate(hello.length * 6);
        for (int at = 5; at < hello.length; at += size) {
            int length = Math.min(size, hello.length - at);
            spread.put(hello, 0, 3).putShort((short) length).put(hello, at, length);
        }
        byte[] bytes = new byte[spread.flip().remaining()];
        spread.get(bytes);
        return bytes;
    }
}
