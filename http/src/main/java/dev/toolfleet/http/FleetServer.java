package dev.toolfleet.http;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;

import io.javalin.Javalin;
import io.javalin.compression.CompressionStrategy;
import io.javalin.config.JavalinConfig;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.servlet.DispatcherType;
import org.eclipse.jetty.http.UriCompliance;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.NetworkConnectionLimit;
import org.eclipse.jetty.server.ServerConnector;
import org.jspecify.annotations.Nullable;

/// HTTP server of a process; each request runs on a virtual thread.
///
/// **Contract.** The server holds its port from its construction on. So its address is known early, and no other
/// process takes the port. Requests that arrive before [#start] wait.
///
/// **Threads.** Made, started and closed once; [#close] from any thread.
public final class FleetServer implements AutoCloseable {
    /// The limit on request headers: an instance key has up to 1,024 characters, and each may take nine in a path.
    private static final int MAX_HEADER_BYTES = 32 * 1024;

    private final HttpConfig config;
    private final ServerSocketChannel channel;
    private final HostPort reachedAt;
    private final ServerLimits limits;
    private @Nullable Javalin server;

    /// Binds the port.
    ///
    /// @throws PortException when the port cannot be had
    public FleetServer(HttpConfig config) {
        this(config, ServerLimits.DEFAULT);
    }

    /// Binds the port of a service with limits of its own, such as one whose requests wait for their answers.
    ///
    /// @throws PortException when the port cannot be had
    public FleetServer(HttpConfig config, ServerLimits limits) {
        this.config = config;
        this.limits = limits;
        try {
            this.channel = bound(config);
            this.reachedAt = config.reachedAt(((InetSocketAddress) channel.getLocalAddress()).getPort());
        } catch (IOException | IllegalArgumentException e) {
            throw new PortException(config.key("address") + " '" + config.address() + "' with "
                    + config.key("port") + " " + config.port() + " cannot be used: " + e.getMessage()
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

    /// Returns the address for clients and other services.
    public HostPort reachedAt() {
        return reachedAt;
    }

    /// Starts to answer requests.
    ///
    /// @param routes the routes of this service; the server adds problem documents, the token check and the measuring
    ///        of requests
    /// @param paths a sentence that names the paths, for requests of other paths
    /// @param meters requests are counted there
    public synchronized void start(List<Route> routes, String paths, MeterRegistry meters) {
        start(routes, paths, meters, new TokenAdmission(config));
    }

    /// Starts to answer requests.
    ///
    /// @param routes the routes of this service; the server adds problem documents and the measuring of requests
    /// @param paths a sentence that names the paths, for requests of other paths
    /// @param meters requests are counted there
    /// @param admission checks every request but those of health probes
    public synchronized void start(List<Route> routes, String paths, MeterRegistry meters, Admission admission) {
        if (server != null || !channel.isOpen())
            throw new IllegalStateException("started before, or closed");
        List<Route> all = new ArrayList<>(List.of(new Problems(paths), new Requests(admission, meters)));
        all.addAll(routes);
        server = Javalin.create(javalin -> {
            configure(javalin, all);
            javalin.jetty.modifyServletContextHandler(context -> {
                context.addFilter(new AdmissionFilter(admission), "/*", EnumSet.of(DispatcherType.REQUEST));
                context.addFilter(new UnreadBodies(), "/*", EnumSet.of(DispatcherType.REQUEST));
            });
        }).start();
    }

    private void configure(JavalinConfig config, List<Route> routes) {
        config.startup.showJavalinBanner = false;
        config.startup.showOldJavalinVersionWarning = false;
        config.startup.startupWatcherEnabled = false;
        config.concurrency.useVirtualThreads = true;
        config.http.prefer405over404 = true;
        // A strong validator names one sequence of bytes.
        config.http.compressionStrategy = CompressionStrategy.NONE;
        config.jetty.modifyHttpConfiguration(FleetServer::configure);
        config.jetty.modifyServer(jetty -> jetty.setErrorHandler(new UnreadableRequests()));
        config.jetty.addConnector((jetty, http) -> {
            ServerConnector connector = new ServerConnector(jetty, new HttpConnectionFactory(http));
            connector.setIdleTimeout(limits.idle().toMillis());
            connector.addBean(new SlowRequests(connector, limits.headersWithin()));
            connector.addBean(new NetworkConnectionLimit(limits.connections(), connector));
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

    /// Stops answering and releases the port, also in an interrupted thread. Closing again does nothing.
    @Override
    public synchronized void close() {
        if (server != null)
            stop(server);
        server = null;
        try {
            channel.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Stops Jetty on a thread that is never interrupted. Otherwise: an interrupt leaves a part of Jetty running.
    private static void stop(Javalin server) {
        Thread stopping = Thread.ofVirtual().name("http-stop").start(server::stop);
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
