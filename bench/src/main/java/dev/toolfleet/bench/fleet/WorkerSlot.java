package dev.toolfleet.bench.fleet;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import dev.toolfleet.bench.effect.EffectFiles;
import dev.toolfleet.bench.effect.EffectTools;
import dev.toolfleet.embedded.process.ChildJvm;

/// A place in the fleet that one worker process after the other takes. Every process has a name of its own, as a
/// deployment gives it, so that it cannot end by itself what its predecessor left open.
///
/// One thread at a time uses it; [#close] may be called by any.
public final class WorkerSlot implements AutoCloseable {
    private static final List<String> FLAGS = List.of("-Xmx384m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1",
            "-Dlogback.configurationFile=bench-logback.xml");
    private static final Duration READY = Duration.ofSeconds(60);

    private final String bootstrapServers;
    private final RunFolder folder;
    private final AtomicInteger names;
    private volatile Member member;

    private record Member(String name, ChildJvm process) {}

    private WorkerSlot(String bootstrapServers, RunFolder folder, AtomicInteger names) {
        this.bootstrapServers = bootstrapServers;
        this.folder = folder;
        this.names = names;
        this.member = launch();
    }

    /// Starts a first worker and returns at once.
    ///
    /// @param names counts the fleet's workers
    static WorkerSlot start(String bootstrapServers, RunFolder folder, AtomicInteger names) {
        return new WorkerSlot(bootstrapServers, folder, names);
    }

    private Member launch() {
        String name = "worker-" + names.incrementAndGet();
        Path effects = EffectFiles.of(folder.effects(), name);
        List<String> flags = new ArrayList<>(FLAGS);
        flags.add("-D" + EffectTools.FILE + "=" + effects);
        List<String> settings = List.of("kafka.bootstrapServers=" + bootstrapServers, "worker.name=" + name,
                "worker.catalog.mode=agent", "worker.workspace.root=" + folder.workspace(),
                "worker.completion.stateDir=" + folder.workspace().resolveSibling("state"));
        return new Member(name, ChildJvm.start(
                new ChildJvm.Launch(WorkerMain.class, flags, settings, folder.logs().resolve(name + ".log"))));
    }

    /// Starts a worker in the place of one that has ended, and waits until it is ready.
    public void restart() throws InterruptedException {
        member = launch();
        awaitReady();
    }

    /// Waits until the worker is ready.
    ///
    /// @throws IllegalStateException when it is not in time
    void awaitReady() throws InterruptedException {
        member.process().awaitReady(READY);
    }

    /// The name of the worker that is here now.
    public String worker() {
        return member.name();
    }

    /// Whether its process runs, frozen or not.
    public boolean isAlive() {
        return member.process().isAlive();
    }

    /// SIGKILL; returns when it is gone.
    public void kill() {
        member.process().kill();
    }

    /// SIGTERM; does not wait.
    public void terminate() {
        member.process().terminate();
    }

    /// Waits for its end.
    ///
    /// @return whether it has ended
    public boolean awaitEnd(Duration atMost) throws InterruptedException {
        return member.process().awaitEnd(atMost);
    }

    /// SIGSTOP.
    public void freeze() throws InterruptedException {
        signal("STOP");
    }

    /// SIGCONT.
    public void thaw() throws InterruptedException {
        signal("CONT");
    }

    private void signal(String name) throws InterruptedException {
        try {
            Process kill = new ProcessBuilder("kill", "-" + name, Long.toString(member.process().pid()))
                    .redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.DISCARD).start();
            if (!kill.waitFor(10, TimeUnit.SECONDS) || kill.exitValue() != 0)
                throw new IllegalStateException("SIG" + name + " could not be sent to " + worker());
        } catch (IOException e) {
            throw new IllegalStateException("SIG" + name + " could not be sent to " + worker() + ": " + e, e);
        }
    }

    @Override
    public void close() {
        kill();
    }
}
