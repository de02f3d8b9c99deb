package dev.toolfleet.bench.fleet;

import java.time.Duration;
import java.util.List;

import dev.toolfleet.embedded.process.ChildJvm;

/// A place in the fleet that one session service after the other takes, with the same folder.
///
/// One thread at a time uses it; [#close] may be called by any.
public final class SessionSlot implements AutoCloseable {
    private static final Duration READY = Duration.ofMinutes(3);
    private static final List<String> FLAGS = List.of("-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1",
            "-Dlogback.configurationFile=bench-logback.xml");

    private final String name;
    private final ChildJvm.Launch launch;
    private volatile ChildJvm process;

    private SessionSlot(String name, ChildJvm.Launch launch) {
        this.name = name;
        this.launch = launch;
        this.process = ChildJvm.start(launch);
    }

    /// Starts a first service and returns at once.
    ///
    /// @param number from 1
    /// @param prefix of the topics' names, maybe empty
    static SessionSlot start(int number, String bootstrapServers, String prefix, RunFolder folder) {
        String name = "sessions-" + number;
        return new SessionSlot(name,
                new ChildJvm.Launch(SessionMain.class, FLAGS,
                        List.of(folder.workspace().resolveSibling("state").resolve(name).toString(), prefix,
                                bootstrapServers),
                        folder.logs().resolve(name + ".log")));
    }

    /// Its name.
    public String service() {
        return name;
    }

    /// Waits until the service is ready.
    ///
    /// @throws IllegalStateException when it is not in time
    void awaitReady() throws InterruptedException {
        process.awaitReady(READY);
    }

    /// Starts a service in the place of one that has ended. Returns at once: it is ready once brokers and the rest of
    /// its group let it.
    public void restart() {
        process = ChildJvm.start(launch);
    }

    /// True while its process runs.
    public boolean isAlive() {
        return process.isAlive();
    }

    /// SIGKILL; returns when it is gone.
    public void kill() {
        process.kill();
    }

    @Override
    public void close() {
        kill();
    }
}
