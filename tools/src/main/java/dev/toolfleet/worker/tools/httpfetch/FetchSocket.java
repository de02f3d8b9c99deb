package dev.toolfleet.worker.tools.httpfetch;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Proxy;
import java.net.Socket;

import org.jspecify.annotations.Nullable;

/// The one open socket of a fetch. The thread that waits for the fetch can close it.
///
/// **Threads.** The fetch opens sockets one after the other; its caller may cut at any time. Either the fetch sees the
/// cut when it opens a socket, or the caller sees the socket.
///
/// **Why.** An interrupt reaches a thread that waits. A server that sends without a pause never lets it wait: a gzip
/// header or interim answers without end would be read for ever.
final class FetchSocket {
    private volatile boolean cut;
    private volatile @Nullable Socket current;

    /// A new socket that uses no proxy; those of the JVM's properties would connect elsewhere.
    Socket open() {
        Socket socket = new Socket(Proxy.NO_PROXY);
        current = socket;
        if (cut)
            close(socket);
        return socket;
    }

    /// Closes the present socket and every later one.
    void cut() {
        cut = true;
        Socket socket = current;
        if (socket != null)
            close(socket);
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
