package dev.toolfleet.worker.sandbox;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

import dev.toolfleet.worker.sandbox.SandboxConfig.Limits;
import dev.toolfleet.worker.sandbox.SandboxConfig.Mode;
import dev.toolfleet.worker.sandbox.SandboxConfig.Network;
import org.junit.jupiter.api.Assumptions;

import static org.assertj.core.api.Assertions.assertThat;

/// Sandboxes for tests of the walls: these need bubblewrap, and are skipped without it unless `SANDBOX_TESTS` in the
/// environment is `required`.
public final class Walls {
    private static final Duration SOON = Duration.ofSeconds(60);
    static final Limits LIMITS = new Limits(64, 512L << 20, Duration.ofSeconds(20), 8L << 20);

    private Walls() {}

    /// Output and status of a program.
    record Said(int status, String out, String err) {}

    /// A sandbox with walls.
    public static Sandbox with(SandboxConfig config) {
        return with(config, Path.of("/srv/workspace"));
    }

    static Sandbox with(SandboxConfig config, Path workspace) {
        Sandbox sandbox = Sandbox.prepare(config, workspace);
        if ("required".equals(System.getenv("SANDBOX_TESTS")))
            assertThat(sandbox.hasWalls()).as("%s", sandbox.notices()).isTrue();
        else
            Assumptions.assumeTrue(sandbox.hasWalls(), () -> String.valueOf(sandbox.notices()));
        return sandbox;
    }

    /// Without network, with limits that a test reaches soon.
    public static Sandbox small() {
        return with(new SandboxConfig(Mode.PREFERRED, new Network.None(), LIMITS, List.of()));
    }

    /// The same limits without walls.
    static Sandbox withoutWalls() {
        return new Sandbox(new SandboxPreparation(
                new SandboxConfig(Mode.PREFERRED, new Network.None(), LIMITS, List.of()),
                name -> name.equals("bwrap") ? Optional.empty() : Programs.installed().find(name), List.of(), "",
                "amd64")
                .parts(Path.of("/srv/workspace")));
    }

    /// Runs a script of the shell to its end.
    static Said run(Sandbox sandbox, Path workdir, String script) throws IOException, InterruptedException {
        return run(sandbox, workdir, Map.of(), script);
    }

    static Said run(Sandbox sandbox, Path workdir, Map<String, String> env, String script)
            throws IOException, InterruptedException {
        ConfinedProgram command = new ConfinedProgram(List.of("/bin/sh", "-c", script), workdir, workdir, env);
        try (StartedProgram started = sandbox.start(command)) {
            boolean ended = started.process().waitFor(SOON.toMillis(), TimeUnit.MILLISECONDS);
            started.end(Duration.ofMillis(200));
            assertThat(ended).as("'%s' ends", script).isTrue();
            return new Said(started.process().exitValue(), read(started.process().getInputStream()),
                    read(started.process().getErrorStream()));
        }
    }

    private static String read(java.io.InputStream stream) throws IOException {
        try (stream) {
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
