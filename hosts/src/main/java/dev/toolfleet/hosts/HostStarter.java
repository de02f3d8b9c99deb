package dev.toolfleet.hosts;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

import dev.toolfleet.worker.sandbox.ConfinedProgram;
import dev.toolfleet.worker.sandbox.Sandbox;
import dev.toolfleet.worker.sandbox.StartedProgram;

/// Starts programs of hosts, which die with the worker: the kernel kills them even if a handler never lets them see the
/// end of their input.
///
/// **Why one thread.** The kernel ties such a process to the *thread* that started it, and other threads come and go.
final class HostStarter implements AutoCloseable {
    /// Variables that hosts get of the worker's environment. Its secrets are not among them.
    private static final List<String> USUAL = List.of("PATH", "HOME", "LANG", "TZ", "TMPDIR");
    private static final List<String> BEHIND_WALLS = List.of("LANG", "TZ");
    private static final Path SETPRIV = Path.of("/usr/bin/setpriv");

    private final ExecutorService thread = Executors
            .newSingleThreadExecutor(Thread.ofPlatform().daemon().name("host-starter").factory());
    private final Sandbox sandbox;
    private final Path workspace;
    private final boolean dies = Files.isExecutable(SETPRIV);

    /// @param workspace the root of the instances' folders, which hosts may write
    HostStarter(Sandbox sandbox, Path workspace) {
        this.sandbox = sandbox;
        this.workspace = workspace;
    }

    /// Returns the variables of the worker that its hosts get. Walls set the usual ones themselves.
    Map<String, String> usual(Map<String, String> env) {
        Map<String, String> usual = new TreeMap<>();
        for (String name : sandbox.hasWalls() ? BEHIND_WALLS : USUAL) {
            String value = env.get(name);
            if (value != null)
                usual.put(name, value);
        }
        return usual;
    }

    /// Starts a host's program; waits for it although interrupted, since a started process must not be lost.
    StartedProgram start(HostLaunch launch) throws IOException {
        List<String> line = new ArrayList<>();
        if (dies)
            line.addAll(List.of(SETPRIV.toString(), "--pdeathsig", "KILL", "--"));
        line.addAll(launch.whole());
        Path writable = Files.createDirectories(workspace).toRealPath();
        ConfinedProgram program = new ConfinedProgram(line, launch.folder(), writable, launch.env(), null,
                new ConfinedProgram.Reach(List.of(launch.folder().getParent()), launch.network(), false));
        Future<StartedProgram> started = thread.submit(() -> sandbox.converse(program));
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
    }
}
