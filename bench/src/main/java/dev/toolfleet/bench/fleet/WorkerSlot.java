package dev.toolfleet.bench.fleet;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import dev.toolfleet.bench.effect.EffectFiles;
import dev.toolfleet.bench.effect.EffectTools;
import dev.toolfleet.embedded.process.ChildJvm;

/// A place in the fleet that one worker process after the other takes. Most have a name of their own, so that they
/// cannot end by themselves what their predecessor left open; some come back under its name.
///
/// One thread at a time uses it; [#close] may be called by any.
public final class WorkerSlot implements AutoCloseable {
    private static final List<String> FLAGS = List.of("-Xmx384m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1",
            "-Dlogback.configurationFile=bench-logback.xml");
    private static final Duration READY = Duration.ofSeconds(90);
    private static final String AHEAD = "-ahead";

    private final String bootstrapServers;
    private final RunFolder folder;
    private final AtomicInteger processes;
    private volatile Member member;

    /// The next process of a slot.
    public enum Next {
        /// With a name of its own.
        NEW_NAME,
        /// With the name of the one before, unless that one's clock was ahead.
        SAME_NAME,
        /// With a name of its own, and a clock that is ahead.
        AHEAD
    }

    private record Member(String name, ChildJvm process) {}

    private WorkerSlot(String bootstrapServers, RunFolder folder, AtomicInteger processes) {
        this.bootstrapServers = bootstrapServers;
        this.folder = folder;
        this.processes = processes;
        int process = processes.incrementAndGet();
        this.member = launch(name(process), process);
    }

    /// Starts a first worker and returns at once.
    ///
    /// @param processes counts the fleet's worker processes
    static WorkerSlot start(String bootstrapServers, RunFolder folder, AtomicInteger processes) {
        return new WorkerSlot(bootstrapServers, folder, processes);
    }

    private static String name(int process) {
        return "worker-" + process;
    }

    /// True if the clock of the worker of that name is ahead.
    public static boolean isAhead(String worker) {
        return worker.endsWith(AHEAD);
    }

    private Member launch(String name, int process) {
        List<String> flags = new ArrayList<>(FLAGS);
        flags.add("-D" + EffectTools.FILE + "=" + EffectFiles.of(folder.effects(), name, process));
        Map<String, String> environment = Map.of();
        if (isAhead(name)) {
            flags.add("-D" + EffectTools.HOURS_AHEAD + "=" + AheadClock.HOURS);
            environment = AheadClock.environment();
        }
        Path log = folder.logs().resolve(name + ".log");
        List<String> settings = List.of("kafka.bootstrapServers=" + bootstrapServers, "worker.name=" + name,
                // By default five minutes, which are over at once for a clock that is an hour ahead.
                "worker.approvals.timeout=12h", "worker.approvals.maxOpen=1000000",
                // The run does not test the speed of the catalog service, which a busy machine slows down.
                "worker.catalog.wait=1m",
                // Scripts write where Java tools do: beside the file that the command line of the worker names.
                "worker.sandbox.mode=off",
                "worker.workspace.root=" + folder.workspace(), "worker.bundles=" + folder.bundle().getParent(),
                "worker.completion.stateDir=" + folder.workspace().resolveSibling("state"));
        return new Member(name,
                ChildJvm.start(new ChildJvm.Launch(WorkerMain.class, flags, settings, log, environment)));
    }

    /// Starts a worker in the place of one that has ended, and waits until it is ready.
    public void restart(Next next) throws InterruptedException {
        begin(next);
        awaitReady();
    }

    /// Starts a worker in the place of one that has ended, and returns at once.
    public void begin(Next next) {
        int process = processes.incrementAndGet();
        String before = member.name();
        member = launch(switch (next) {
            case NEW_NAME -> name(process);
            case SAME_NAME -> isAhead(before) ? name(process) : before;
            case AHEAD -> name(process) + AHEAD;
        }, process);
    }

    /// Waits until the worker is ready.
    ///
    /// @throws IllegalStateException when it is not in time
    public void awaitReady() throws InterruptedException {
        member.process().awaitReady(READY);
    }

    /// The name of the worker that is here now.
    public String worker() {
        return member.name();
    }

    /// True while its process runs, frozen or not.
    public boolean isAlive() {
        return member.process().isAlive();
    }

    /// SIGKILL to the processes that run its handlers; returns when they are gone.
    public void killHosts() throws InterruptedException {
        List<ProcessHandle> hosts = ProcessHandle.of(member.process().pid()).stream()
                .flatMap(ProcessHandle::children)
                .filter(child -> child.info().command().filter(program -> program.endsWith("node")).isPresent())
                .toList();
        hosts.forEach(ProcessHandle::destroyForcibly);
        // Looks often. Otherwise: the end of a process that is not a child of this one is noticed up to 0.3 s later, and
        // the next start of its calls seems to come before their end.
        while (hosts.stream().anyMatch(ProcessHandle::isAlive))
            Thread.sleep(1);
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
