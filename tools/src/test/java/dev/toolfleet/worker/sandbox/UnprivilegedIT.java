package dev.toolfleet.worker.sandbox;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;

import dev.toolfleet.worker.sandbox.Sandbox.Parts;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static dev.toolfleet.worker.sandbox.Walls.run;
import static org.assertj.core.api.Assertions.assertThat;

/// Bounds of a worker's programs where it cannot make control groups: limits of the user's. Only root can run these
/// tests, because they run the sandbox as another user.
class UnprivilegedIT {
    private static final String NOBODY = "65534";
    static final List<String> AS_NOBODY = List.of("/usr/bin/setpriv", "--reuid", NOBODY, "--regid", NOBODY,
            "--clear-groups", "--");

    @TempDir
    Path root;
    private Path workdir = Path.of(".");

    @BeforeEach
    void aFolderOfNobody() throws Exception {
        Walls.small().close();
        Assumptions.assumeTrue("root".equals(System.getProperty("user.name")), "not root");
        Files.setPosixFilePermissions(root, PosixFilePermissions.fromString("rwxr-xr-x"));
        workdir = Files.createDirectory(root.toRealPath().resolve("workdir"));
        Files.setOwner(workdir,
                workdir.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName("nobody"));
    }

    @Test
    void aForkBombStopsAtTheLimitOfTheNamespace() throws Exception {
        try (Sandbox sandbox = new Sandbox(parts(AS_NOBODY))) {
            assertThat(SandboxIT.forked(run(sandbox, workdir, SandboxIT.BOMB))).isBetween(20,
                    Walls.LIMITS.processes());
        }
    }

    @Test
    void whetherTheLimitIsKeptIsFoundOut() {
        assertThat(new SandboxProbe(parts(AS_NOBODY)).forbidsSecondProcess()).isTrue();
        // The kernel forgives root.
        assertThat(new SandboxProbe(parts(List.of())).forbidsSecondProcess()).isFalse();
    }

    @Test
    void memoryIsBoundedForEachProcess() throws Exception {
        try (Sandbox sandbox = new Sandbox(parts(AS_NOBODY))) {
            String hog = "perl -e '$x = \"x\" x (1 << 20) x %d; print length $x' || echo refused";

            assertThat(run(sandbox, workdir, hog.formatted(64)).out()).isEqualTo(Integer.toString(64 << 20));
            assertThat(run(sandbox, workdir, hog.formatted(800)).out()).isEqualTo("refused\n");
        }
    }

    @Test
    void theFolderCanBeWritten() throws Exception {
        try (Sandbox sandbox = new Sandbox(parts(AS_NOBODY))) {
            assertThat(run(sandbox, workdir, "echo x > file; id -u").out()).isEqualTo(NOBODY + "\n");
        }
        assertThat(workdir.resolve("file")).hasContent("x");
    }

    static Parts parts(List<String> session) {
        Programs programs = Programs.installed();
        return new Parts(session,
                Optional.of(new Bubblewrap(programs.find("bwrap").orElseThrow(), false, List.of(),
                        Path.of("/srv/workspace"), true, Optional.empty(),
                        SystemCallFilter.of(System.getProperty("os.arch")))),
                Optional.of(new Rlimits(programs.find("prlimit").orElseThrow(), Walls.LIMITS)), ControlGroups.none(),
                Walls.LIMITS, true, List.of());
    }
}
