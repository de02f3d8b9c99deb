package dev.toolfleet.embedded;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

import dev.toolfleet.embedded.process.ChildJvm;

/// An [EmbeddedKafka] in a process of its own, which can be killed, stopped, and started again on the same data and
/// port. It ends with this JVM.
///
/// **Threads.** One thread at a time starts, stops and kills it.
public final class BrokerProcess implements AutoCloseable {

    private static final List<String> FLAGS = List.of("-Xmx512m", "-XX:+UseSerialGC");
    private static final Duration START = Duration.ofMinutes(2);
    private static final Duration STOP = Duration.ofSeconds(30);

    private final BrokerLaunch launch;
    private ChildJvm process;

    private BrokerProcess(BrokerLaunch launch) {
        this.launch = launch;
        this.process = launch.begin();
    }

    /// Starts a broker and returns when it serves clients.
    ///
    /// @param config needs a data folder; port 0 means a free port below the range for outgoing connections, so that no
    ///        process takes it while the broker is away
    /// @param log the file for its outputs, not in the data folder
    /// @throws EmbeddedKafkaException if it cannot start
    public static BrokerProcess start(EmbeddedKafkaConfig config, Path log) throws InterruptedException {
        if (config.data().isEmpty()) {
            throw new IllegalArgumentException(
                    "data is empty; a broker that may be killed needs a folder that is kept");
        }
        EmbeddedKafkaConfig fixed = config.port() == 0 ? config.withPort(ListenSockets.freeFixedPort()) : config;
        BrokerProcess broker = begin(new BrokerLaunch(fixed, NodePlace.alone(), FLAGS, log, START));
        broker.awaitReady();
        return broker;
    }

    /// Starts one and returns at once.
    static BrokerProcess begin(BrokerLaunch launch) {
        return new BrokerProcess(launch);
    }

    void awaitReady() throws InterruptedException {
        launch.await(process);
    }

    /// `host:port` for `bootstrap.servers`, the same after every start.
    public String bootstrapServers() {
        return ListenSockets.HOST + ":" + launch.config().port();
    }

    /// Returns the process id; a different one after every start.
    public long pid() {
        return process.pid();
    }

    /// Starts it again after [#kill] or [#stop] and returns when it serves clients.
    ///
    /// @throws EmbeddedKafkaException if it cannot start
    /// @throws IllegalStateException if it runs
    public void restart() throws InterruptedException {
        if (process.isAlive()) {
            throw new IllegalStateException("the broker (process " + pid() + ") runs");
        }
        process = launch.begin();
        awaitReady();
    }

    /// SIGKILL. Returns when it is gone.
    public void kill() {
        process.kill();
    }

    /// SIGTERM. Returns when it has stopped; after 30 s it is killed.
    public void stop() throws InterruptedException {
        process.terminate();
        if (!process.awaitEnd(STOP)) {
            process.kill();
        }
    }

    /// As [#kill]; the data stays.
    @Override
    public void close() {
        kill();
    }
}
