package dev.toolfleet.hosts;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

import dev.toolfleet.worker.sandbox.ConfinedProgram;
import dev.toolfleet.worker.sandbox.Sandbox;
import dev.toolfleet.worker.sandbox.SandboxConfig;
import dev.toolfleet.worker.sandbox.StartedProgram;

/// Starts programs of hosts, which die with the worker: the kernel kills them even if a handler never lets them see the
/// end of their input.
///
/// **Why one thread.** The kernel ties such a process to the *thread* that started it, and other threads come and go.
final class HostStarter implements AutoCloseable {
    private static final Path SETPRIV = Path.of("/usr/bin/setpriv");

    private final ExecutorService thread = Executors
            .newSingleThreadExecutor(Thread.ofPlatform().daemon().name("host-starter").factory());
    private final Sandbox programs = Sandbox.prepare(SandboxConfig.OFF, Path.of("."));
    private final boolean dies = Files.isExecutable(SETPRIV);

    /// Starts a host's program; waits for it although interrupted, since a started process must not be lost.
    StartedProgram start(HostLaunch launch) throws IOException {
        List<String> line = new ArrayList<>();
        if (dies)
            line.addAll(List.of(SETPRIV.toString(), "--pdeathsig", "KILL", "--"));
        line.addAll(launch.whole());
        ConfinedProgram program = new ConfinedProgram(line, launch.folder(), launch.folder(), launch.env());
        Future<StartedProgram> started = thread.submit(() -> programs.converse(program));
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return started.get();
                } catch (InterruptedException e) {
                    interrupted = true;
                } catch (ExecutionException e) {
                    if (e.getCause() instanceof IOException failed)
                        throw new IOException(failed.getMessage(), failed);
                    throw new IllegalStateException(e.getCause());
                }
            }
        } finally {
            if (interrupted)
                Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        thread.shutdown();
        programs.close();
    }
}
