package dev.toolfleet.worker.sandbox;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

import dev.toolfleet.worker.sandbox.Sandbox.Parts;
import dev.toolfleet.worker.sandbox.SandboxConfig.Limits;

/// Runs a harmless program in a sandbox to see whether it works.
record SandboxProbe(Parts parts) {
    /// A worker on a machine that stands still for a while is not to start without walls.
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    /// Some shells try again for seconds when they may not fork.
    private static final Duration PATIENCE_WITH_SHELLS = Duration.ofSeconds(1);
    private static final String FORKED = "forked";
    /// Word that these shells print then.
    private static final String TRIES_AGAIN = "retry";

    private static final int NOT_ENDED = -1;

    static SandboxProbe of(Parts parts) {
        return new SandboxProbe(parts);
    }

    /// Returns the reason why it does not work; empty if it works.
    Optional<String> failure() {
        Seen seen = run(parts, "exit 0", PATIENCE);
        return seen.status == 0
                ? Optional.empty()
                : Optional.of(seen.text.isEmpty() ? "exit " + seen.status : seen.text);
    }

    /// True if the system keeps the limit of processes: with a limit of one, no process beside the shell can start.
    /// False if that cannot be found out.
    boolean forbidsSecondProcess() {
        Limits limits = parts.limits();
        Parts one = new Parts(parts.session(), parts.walls(), parts.rlimits(), ControlGroups.none(),
                new Limits(1, limits.memory(), limits.cpuTime(), limits.fileSize()), parts.countsProcesses(),
                List.of());
        for (Duration patience : List.of(PATIENCE_WITH_SHELLS, PATIENCE)) {
            Seen seen = run(one, "x=$(/bin/true) && echo " + FORKED, patience);
            if (seen.text.contains(FORKED))
                return false;
            if (seen.status != NOT_ENDED || seen.text.contains(TRIES_AGAIN))
                return true;
        }
        return false;
    }

    private record Seen(int status, String text) {}

    private static Seen run(Parts parts, String script, Duration patience) {
        // Any folder does: nothing is written.
        Path folder = Path.of(System.getProperty("java.io.tmpdir")).toAbsolutePath().normalize();
        ConfinedProgram command = new ConfinedProgram(List.of("/bin/sh", "-c", script), folder, folder, Map.of());
        try (Sandbox sandbox = new Sandbox(parts); StartedProgram started = sandbox.start(command)) {
            boolean ended = started.process().waitFor(patience.toMillis(), TimeUnit.MILLISECONDS);
            started.end(Duration.ZERO);
            return new Seen(ended ? started.process().exitValue() : NOT_ENDED, read(started.process()));
        } catch (IOException e) {
            return new Seen(NOT_ENDED, String.valueOf(e.getMessage()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while the sandbox was tried", e);
        }
    }

    /// Reads both outputs: the output of a probe is short, and every process that could write to it has ended.
    private static String read(Process process) throws IOException {
        try (var out = process.getInputStream(); var err = process.getErrorStream()) {
            return new String(out.readAllBytes(), StandardCharsets.UTF_8).strip()
                    + new String(err.readAllBytes(), StandardCharsets.UTF_8).strip();
        }
    }
}
