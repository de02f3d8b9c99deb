package dev.toolfleet.catalog.http;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

import io.javalin.Javalin;
import io.javalin.compression.CompressionStrategy;
import io.javalin.config.JavalinConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import org.eclipse.jetty.http.UriCompliance;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.ServerConnector;
import org.jspecify.annotations.Nullable;

/// Answers over HTTP, each request on a virtual thread. It holds its port from the moment it is made, so that it is
/// known where it is reached and nobody else takes it; requests that come before [#start] wait.
///
/// Made, started and closed once; [#close] from any thread.
public final class CatalogServer implements AutoCloseable {
    /// An instance key has up to 1,024 characters, each of which may be nine in a path.
    private static final int MAX_HEADER_BYTES = 32 * 1024;

    private final ServerSocketChannel channel;
    private final HostPort reachedAt;
    private final Optional<BearerToken> token;
    private @Nullable Javalin server;
    private @Nullable Peers peers;

    /// Takes its port.
    ///
    /// @throws IllegalStateException with one line for a person, when the port cannot be had
    public CatalogServer(HttpConfig config) {
        this.token = config.token();
        try {
            this.channel = bound(config);
            this.reachedAt = config.reachedAt(((InetSocketAddress) channel.getLocalAddress()).getPort());
        } catch (IOException | IllegalArgumentException e) {
            throw new IllegalStateException("catalog.http.address '" + config.address() + "' with catalog.http.port "
                    + config.port() + " cannot be used: " + e.getMessage()
                    + "; name another port, 0 for a free one, or " + HttpConfig.OFF, e);
        }
    }

    private static ServerSocketChannel bound(HttpConfig config) throws IOException {
        ServerSocketChannel channel = ServerSocketChannel.open();
        try {
            InetSocketAddress address = new InetSocketAddress(config.address(), config.port());
            if (address.isUnresolved())
                throw new IOException("there is no such host");
            return channel.bind(address);
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw e;
        }
    }

    /// Where clients and other services reach it.
    public HostPort reachedAt() {
        return reachedAt;
    }

    /// Begins to answer.
    ///
    /// @param steps of this service's partitions
    /// @param service the rest of what it can tell
    /// @param meters what `/metrics` shows; requests are counted there
    /// @param clock judges leases
    public synchronized void start(Steps steps, Declarations service, PrometheusMeterRegistry meters,
            InstantSource clock) {
        if (server != null || !channel.isOpen())
            throw new IllegalStateException("started before, or closed");
        Peers others = new Peers(token);
        List<Route> routes = List.of(new Problems(), new Requests(token, meters), new CatalogRoute(steps, others),
                new ResourceRoute(service, clock), new AgentRoute(service, clock),
                new HealthRoute(service), new MetricsRoute(meters::scrape));
        peers = others;
        server = Javalin.create(config -> configure(config, routes)).start();
    }

    private void configure(JavalinConfig config, List<Route> routes) {
        config.startup.showJavalinBanner = false;
        config.startup.showOldJavalinVersionWarning = false;
        config.startup.startupWatcherEnabled = false;
        config.concurrency.useVirtualThreads = true;
        config.http.prefer405over404 = true;
        // A strong validator names one sequence of bytes.
        config.http.compressionStrategy = CompressionStrategy.NONE;
        config.jetty.modifyHttpConfiguration(CatalogServer::configure);
        config.jetty.modifyServer(jetty -> jetty.setErrorHandler(new UnreadableRequests()));
        config.jetty.addConnector((jetty, http) -> {
            ServerConnector connector = new ServerConnector(jetty, new HttpConnectionFactory(http));
            try {
                connector.open(channel);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            return connector;
        });
        routes.forEach(route -> route.addTo(config.routes));
    }

    private static void configure(HttpConfiguration http) {
        // Keys and names may hold any character; paths are matched as they came, and lead to no files.
        http.setUriCompliance(UriCompliance.UNSAFE);
        http.setRequestHeaderSize(MAX_HEADER_BYTES);
        http.setSendServerVersion(false);
    }

    /// Answers no more and gives the port back, also for a thread that was interrupted. Closing again does nothing.
    @Override
    public synchronized void close() {
        if (server != null)
            stop(server);
        server = null;
        if (peers != null)
            peers.close();
        try {
            channel.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Jetty, interrupted while it stops, would leave a part of itself running; so nobody interrupts the thread that
    /// stops it.
    private static void stop(Javalin server) {
        Thread stopping = Thread.ofVirtual().name("catalog-http-stop").start(server::stop);
        boolean interrupted = false;
        while (stopping.isAlive()) {
            try {
                stopping.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted)
            Thread.currentThread().interrupt();
    }
}
