package dev.toolfleet.embedded;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.util.concurrent.ThreadLocalRandom;

import org.apache.kafka.server.ServerSocketFactory;

/// The two listening sockets, bound before the broker exists.
///
/// **Why.** A free port is known early and stays reserved, and a port in use is found at once. The broker would find it
/// late, and end the JVM.
final class ListenSockets implements ServerSocketFactory, AutoCloseable {

    static final String HOST = "127.0.0.1";
    private static final int FIXED_FROM = 20_000;
    private static final int FIXED_UP_TO = 32_000;
    private static final int FIXED_TRIES = 200;

    private final ServerSocketChannel clients;
    private final ServerSocketChannel controller;
    private boolean handedOver;

    private ListenSockets(ServerSocketChannel clients, ServerSocketChannel controller) {
        this.clients = clients;
        this.controller = controller;
    }

    /// @throws EmbeddedKafkaException if a port cannot be had
    static ListenSockets bind(int port, int controllerPort) {
        ServerSocketChannel clients = listen(port);
        try {
            return new ListenSockets(clients, listen(controllerPort));
        } catch (EmbeddedKafkaException e) {
            closeQuietly(clients, e);
            throw e;
        }
    }

    int clientPort() {
        return clients.socket().getLocalPort();
    }

    InetSocketAddress controllerAddress() {
        return (InetSocketAddress) controller.socket().getLocalSocketAddress();
    }

    /// Passes the sockets to the broker, which closes them from now on.
    void handedOver() {
        handedOver = true;
    }

    @Override
    public ServerSocketChannel openServerSocket(String listenerName, InetSocketAddress address, int backlog,
            int receiveBufferSize)
            throws IOException {
        ServerSocketChannel socket = BrokerSettings.CONTROLLER.equals(listenerName) ? controller : clients;
        if (!socket.isOpen()) {
            throw new IOException("the socket of listener " + listenerName + " at " + address + " was closed already");
        }
        return socket;
    }

    /// Closes them after a start that failed, does nothing once they are handed over.
    @Override
    public void close() throws IOException {
        if (!handedOver) {
            try (controller) {
                clients.close();
            }
        }
    }

    /// Returns a free port below the range for outgoing connections (from 32768 up on Linux). Otherwise: an outgoing
    /// connection takes the port of a stopped broker, or connects to itself.
    static int freeFixedPort() {
        for (int tries = 0; tries < FIXED_TRIES; tries++) {
            int port = ThreadLocalRandom.current().nextInt(FIXED_FROM, FIXED_UP_TO);
            try (ServerSocketChannel socket = listen(port)) {
                return socket.socket().getLocalPort();
            } catch (EmbeddedKafkaException | IOException e) {
                // Taken: try another one.
            }
        }
        throw new EmbeddedKafkaException("no free port was found from " + FIXED_FROM + " to " + FIXED_UP_TO);
    }

    private static ServerSocketChannel listen(int port) {
        ServerSocketChannel socket = null;
        try {
            socket = ServerSocketChannel.open();
            socket.bind(new InetSocketAddress(InetAddress.ofLiteral(HOST), port));
            socket.configureBlocking(false);
            return socket;
        } catch (IOException e) {
            var failure = new EmbeddedKafkaException(
                    "port " + port + " on " + HOST + " cannot be used: " + e.getMessage()
                            + "; stop the process that holds it, or choose another port (0 picks a free one)",
                    e);
            if (socket != null) {
                closeQuietly(socket, failure);
            }
            throw failure;
        }
    }

    private static void closeQuietly(ServerSocketChannel socket, Exception because) {
        try {
            socket.close();
        } catch (IOException e) {
            because.addSuppressed(e);
        }
    }
}
