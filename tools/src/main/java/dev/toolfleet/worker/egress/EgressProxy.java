package dev.toolfleet.worker.egress;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

/// HTTP proxy of one command, on a Unix-domain socket that is bound into its walls and no other's.
///
/// **Contract.** It connects where [EgressRules] allow, for as long as it is open, and reads nothing of a tunnel but the
/// server's name in the first message of TLS. Closing it closes every connection.
///
/// **Threads.** One virtual thread accepts, two carry each connection. Thread-safe.
public final class EgressProxy implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(EgressProxy.class);

    private final Path socket;
    private final CommandAccount account;
    private final BooleanSupplier workerHasRoom;
    private final Consumer<EgressProxy> closed;
    private final ServerSocketChannel server;
    private final @Nullable Map<String, String> logKeys = MDC.getCopyOfContextMap();
    private final Set<ProxyConnection> connections = ConcurrentHashMap.newKeySet();
    private volatile boolean ended;

    EgressProxy(Path socket, CommandAccount account, BooleanSupplier workerHasRoom, Consumer<EgressProxy> closed)
            throws IOException {
        this.socket = socket;
        this.account = account;
        this.workerHasRoom = workerHasRoom;
        this.closed = closed;
        this.server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        try {
            server.bind(UnixDomainSocketAddress.of(socket));
        } catch (IOException | RuntimeException e) {
            server.close();
            throw e;
        }
        Thread.ofVirtual().name("egress-proxy").start(this::accept);
    }

    /// The socket, to be bound into the command's walls.
    public Path socket() {
        return socket;
    }

    int connections() {
        return connections.size();
    }

    void closeSilent() {
        connections.forEach(ProxyConnection::closeIfSilent);
    }

    private void accept() {
        try (server) {
            while (true) {
                SocketChannel client = server.accept();
                boolean room = connections.size() < account.rules().bounds().connections()
                        && workerHasRoom.getAsBoolean();
                ProxyConnection connection = new ProxyConnection(client, account, connections::remove);
                if (room)
                    begin(connection);
                else
                    connection.turnAway();
            }
        } catch (IOException e) {
            if (!ended)
                LOG.atWarn().addKeyValue(CommandLogKeys.REASON, e.toString()).log("proxy of a command ended early");
        }
    }

    private void begin(ProxyConnection connection) {
        connections.add(connection);
        // Either this sees the end of the proxy, or that sees the connection.
        if (ended)
            connection.close();
        Thread.ofVirtual().name("egress-connection").start(() -> {
            if (logKeys != null)
                MDC.setContextMap(logKeys);
            connection.run();
        });
    }

    /// Ends it and all its connections.
    @Override
    public void close() {
        ended = true;
        closed.accept(this);
        try {
            server.close();
            Files.deleteIfExists(socket);
        } catch (IOException e) {
            LOG.atDebug().addKeyValue(CommandLogKeys.REASON, e.toString()).log("egress socket not removed");
        }
        connections.forEach(ProxyConnection::close);
    }
}
