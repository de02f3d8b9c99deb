package dev.toolfleet.embedded;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;

import org.apache.kafka.server.ServerSocketFactory;

/// The two listening sockets, bound before the broker exists: so a free port is known beforehand and stays ours, and a
/// port in use is found at once. (The broker would find it late, and end the JVM over it.)
final class ListenSockets implements ServerSocketFactory, AutoCloseable {

    static final String HOST = "127.0.0.1";

    private final ServerSocketChannel clients;
    private final ServerSocketChannel controller;
    private boolean handedOver;

    private ListenSockets(ServerSocketChannel clients, ServerSocketChannel controller) {
        this.clients = clients;
        this.controller = controller;
    }

    /// @throws EmbeddedKafkaException if the port cannot be had
    static ListenSockets bind(int port) {
        ServerSocketChannel clients = listen(port);
        try {
            return new ListenSockets(clients, listen(0));
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

    /// From now on the broker closes them.
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
