package dev.toolfleet.bench.fleet;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

import dev.toolfleet.embedded.process.ChildJvm;

/// A place in the fleet that one gateway process after the other takes, with the same name, folder and ports, as a
/// deployment gives them.
///
/// One thread at a time uses it; [#close] may be called by any.
public final class GatewaySlot implements AutoCloseable {
    private static final Duration READY = Duration.ofMinutes(3);
    private static final Duration STOP = Duration.ofSeconds(60);
    private static final List<String> FLAGS = List.of("-Xmx384m", "-XX:+UseSerialGC",
            "-Dlogback.configurationFile=bench-logback.xml");

    private final String name;
    private final ChildJvm.Launch launch;
    private final URI uri;
    private volatile ChildJvm process;

    private GatewaySlot(String name, URI uri, ChildJvm.Launch launch) {
        this.name = name;
        this.uri = uri;
        this.launch = launch;
        this.process = ChildJvm.start(launch);
    }

    /// Starts a first gateway and returns at once.
    ///
    /// @param number from 1
    /// @param prefix of the topics' names, maybe empty
    public static GatewaySlot start(int number, String bootstrapServers, String prefix, RunFolder folder)
            throws IOException {
        return start(number, bootstrapServers, prefix, folder.workspace().resolveSibling("state"), folder.logs(),
                FLAGS);
    }

    /// Starts a first gateway with flags of its JVM, and returns at once.
    ///
    /// @param state holds its folder
    /// @param logs holds its log
    public static GatewaySlot start(int number, String bootstrapServers, String prefix, Path state, Path logs,
            List<String> flags) throws IOException {
        String name = "gateway-" + number;
        int port = freePort();
        return new GatewaySlot(name, URI.create("http://127.0.0.1:" + port),
                new ChildJvm.Launch(GatewayMain.class, flags,
                        List.of(state.resolve(name).toString(), Integer.toString(port),
                                Integer.toString(freePort()), prefix, "bootstrap.servers=" + bootstrapServers),
                        logs.resolve(name + ".log")));
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    /// Its name.
    public String gateway() {
        return name;
    }

    /// Its address for clients.
    public URI uri() {
        return uri;
    }

    /// Its process number.
    public long pid() {
        return process.pid();
    }

    /// Waits until the gateway is ready.
    ///
    /// @throws IllegalStateException when it is not in time
    public void awaitReady() throws InterruptedException {
        process.awaitReady(READY);
    }

    /// Starts a gateway in the place of one that has ended, and waits until it is ready.
    public void restart() throws InterruptedException {
        process = ChildJvm.start(launch);
        awaitReady();
    }

    /// True while its process runs.
    public boolean isAlive() {
        return process.isAlive();
    }

    /// SIGKILL; returns when it is gone.
    public void kill() {
        process.kill();
    }

    /// SIGTERM; returns when it has ended.
    ///
    /// @throws IllegalStateException when it does not end
    public void stop() throws InterruptedException {
        process.terminate();
        if (!process.awaitEnd(STOP))
            throw new IllegalStateException(name + " did not end within " + STOP.toSeconds() + " s after SIGTERM");
    }

    @Override
    public void close() {
        kill();
    }
}
