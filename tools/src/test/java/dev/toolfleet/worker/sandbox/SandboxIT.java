package dev.toolfleet.worker.sandbox;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;

import dev.toolfleet.worker.sandbox.SandboxConfig.Mode;
import dev.toolfleet.worker.sandbox.SandboxConfig.Network;
import dev.toolfleet.worker.sandbox.Walls.Said;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

import static dev.toolfleet.worker.sandbox.Walls.run;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

/// The walls, tried from within with a real shell.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SandboxIT {
    private static final String SECRET = "the-secret-of-another";

    @TempDir
    Path root = Path.of(".");
    private Path workdir = Path.of(".");
    private Path other = Path.of(".");
    private Sandbox sandbox = new Sandbox(
            new SandboxPreparation(SandboxConfig.OFF, Programs.installed(), List.of(), "", "amd64")
                    .parts(Path.of(".")));

    @BeforeAll
    void walls() {
        sandbox = Walls.small();
    }

    @AfterAll
    void close() {
        sandbox.close();
    }

    @BeforeEach
    void folders() throws Exception {
        Path workspace = Files.createTempDirectory(root.toRealPath(), "workspace");
        workdir = Files.createDirectory(workspace.resolve("mine"));
        other = Files.createDirectory(workspace.resolve("other"));
        Files.writeString(other.resolve("secret"), SECRET);
    }

    @Test
    void theFolderOfAnotherInstanceIsNotThere() throws Exception {
        Files.createSymbolicLink(workdir.resolve("planted"), other);
        Said said = run(sandbox, workdir, "ls " + other + "; cat " + other + "/secret planted/secret ../other/secret;"
                + "ls ..; cat /proc/1/root" + other + "/secret /proc/self/root" + other + "/secret");

        assertThat(said.out().strip()).isEqualTo("mine");
        assertThat(said.err()).doesNotContain(SECRET).contains("planted/secret: No such file");
    }

    @Test
    void aWorkspaceInAFolderOfTheSystemShowsNoMoreThanAnyOther() throws Exception {
        Path system = Path.of("/usr/local");
        Assumptions.assumeTrue(Files.isWritable(system), "only root can put a workspace there");
        Path workspace = Files.createTempDirectory(system.toRealPath(), "workspace");
        try {
            Path mine = Files.createDirectories(workspace.resolve("mine/spawned"));
            Path others = Files.createDirectory(workspace.resolve("other"));
            Files.writeString(others.resolve("secret"), SECRET);
            Files.writeString(workspace.resolve("mine/owners"), SECRET);
            try (Sandbox inside = Walls.with(
                    new SandboxConfig(Mode.PREFERRED, new Network.None(), Walls.LIMITS, List.of()),
                    workspace)) {
                Said said = run(inside, mine, "cat " + others + "/secret ../../other/secret ../owners; ls " + workspace
                        + "; echo x > here; echo x > " + workspace
                        + "/new; echo x > ../new; ls /usr/local/bin >/dev/null"
                        + " && echo system");

                assertThat(said.out().lines()).containsExactly("mine", "system");
                assertThat(said.err()).doesNotContain(SECRET).contains("Read-only");
                assertThat(mine.resolve("here")).hasContent("x");
                assertThat(workspace.resolve("new")).doesNotExist();
                assertThat(inside.sees(others.resolve("secret"), mine)).isFalse();
                assertThat(inside.sees(mine.resolve("here"), mine)).isTrue();
                assertThat(inside.sees(Path.of("/usr/bin/env"), mine)).isTrue();
            }
        } finally {
            new ProcessBuilder("rm", "-rf", workspace.toString()).start().waitFor();
        }
    }

    @Test
    void nothingOfTheWorkersEnvironmentCanBeRead() throws Exception {
        long worker = ProcessHandle.current().pid();
        Said said = run(sandbox, workdir, Map.of("MINE", "1"), "env; cat /proc/" + worker + "/environ /proc/" + worker
                + "/cmdline; for p in /proc/[0-9]*; do tr '\\0' '\\n' < $p/environ; done; ls -d /proc/[0-9]* | wc -l");

        assertThat(said.out()).contains("MINE=1", "HOME=" + workdir).doesNotContain("java.class.path", "java\n");
        Map<String, String> own = new java.util.HashMap<>(System.getenv());
        own.keySet().removeAll(java.util.Set.of("PATH", "HOME", "USER", "LOGNAME", "SHELL", "TMPDIR", "PWD", "LANG"));
        own.forEach((name, value) -> assertThat(said.out()).doesNotContain(name + "=" + value));
        assertThat(said.err()).contains("/proc/" + worker + "/environ: No such file");
    }

    @Test
    void theSystemIsReadOnlyAndHoldsNoKeysAndNoConfiguration() throws Exception {
        Said said = run(sandbox, workdir, "for f in /new /usr/new /etc/new /dev/new /proc/new /var/new /etc/passwd"
                + " /proc/sys/kernel/core_pattern /proc/sysrq-trigger /proc/self/oom_score_adj; do"
                + " (echo x >> $f) 2>/dev/null && echo wrote $f; done;"
                + " for f in /etc/shadow /etc/ssl/private /root /home /run /sys /boot /srv /mnt /etc/hostname "
                + Path.of("").toAbsolutePath() + "; do [ -e $f ] && echo sees $f; done; touch here /tmp/t /dev/shm/s");

        assertThat(said).isEqualTo(new Said(0, "", ""));
        assertThat(workdir.resolve("here")).exists();
        assertThat(Path.of("/tmp/t")).doesNotExist();
    }

    @Test
    void noConnectionLeadsOut() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            String connect = "bash -c 'echo hi > /dev/tcp/127.0.0.1/" + server.getLocalPort() + "' && echo connected;"
                    + "bash -c 'echo > /dev/udp/192.0.2.1/53' && echo sent; ls /sys/class/net; cat /proc/net/dev";
            Said inside = run(sandbox, workdir, connect);
            assertThat(inside.out()).doesNotContain("connected", "sent", "eth", "ens").contains("lo:");
            try (Sandbox open = Walls
                    .with(new SandboxConfig(Mode.PREFERRED, new Network.Shared(), Walls.LIMITS, List.of()))) {
                assertThat(run(open, workdir, connect).out()).contains("connected");
            }
        }
    }

    @Test
    void aForkBombStopsAtTheLimit() throws Exception {
        // Root without control groups has no such bound, and is told so; UnprivilegedIT has the others.
        Assumptions.assumeTrue(sandbox.notices().isEmpty(), () -> String.valueOf(sandbox.notices()));
        Said said = run(sandbox, workdir, BOMB);

        assertThat(forked(said)).isBetween(20, Walls.LIMITS.processes());
    }

    /// A bomb with a fuse: it burns out after 200 processes, should nothing stop it.
    static final String BOMB = "n=0; while [ $n -lt 200 ]; do sleep 30 & n=$((n+1)); echo $n; done";

    static int forked(Said said) {
        String[] counts = said.out().strip().split("\n", -1);
        return Integer.parseInt(counts[counts.length - 1]);
    }

    @Test
    void memoryIsBounded() throws Exception {
        String hog = "perl -e '$x = \"x\" x (1 << 20) x %d; print length $x' || echo refused";

        assertThat(run(sandbox, workdir, hog.formatted(64)).out()).isEqualTo(Integer.toString(64 << 20));
        assertThat(run(sandbox, workdir, hog.formatted(800)).out()).doesNotContain(Integer.toString(800 << 20));
    }

    @Test
    void theSizeOfAFileAndTheTimeOfTheProcessorAreBounded() throws Exception {
        run(sandbox, workdir, "head -c 20000000 /dev/zero > big");
        assertThat(workdir.resolve("big")).hasSize(Walls.LIMITS.fileSize());
        var second = new SandboxConfig.Limits(64, 512L << 20, Duration.ofSeconds(1), 1 << 20);
        try (Sandbox brief = Walls.with(new SandboxConfig(Mode.PREFERRED, new Network.None(), second, List.of()))) {
            assertThat(run(brief, workdir, "while :; do :; done").status()).isEqualTo(137);
        }
    }

    @Test
    void thereAreNoPrivilegesAndNoneCanBeHad() throws Exception {
        Path su = Files.copy(Path.of("/bin/sh").toRealPath(), workdir.resolve("su"));
        Files.setPosixFilePermissions(su, PosixFilePermissions.fromString("rwxr-xr-x"));
        new ProcessBuilder("chmod", "4755", su.toString()).start().waitFor();
        Said said = run(sandbox, workdir, "grep -E 'CapEff|CapBnd|NoNewPrivs' /proc/self/status; ./su -p -c 'id -u';"
                + "unshare -Ur true && echo unshared; mount -t tmpfs none /tmp && echo mounted; kill -0 -1; hostname");

        assertThat(said.out()).containsPattern("NoNewPrivs:\\s+1").containsPattern("CapEff:\\s+0{16}")
                .containsPattern("CapBnd:\\s+0{16}").contains("\n65534\n", "sandbox").doesNotContain("unshared",
                        "mounted");
    }

    @Test
    void noFileThatIsMadeGivesPrivilegesOrADevice() throws Exception {
        String mounts = run(sandbox, workdir, "grep -E ' " + workdir + " | /tmp | /dev/shm ' /proc/self/mountinfo")
                .out();

        assertThat(mounts.lines()).hasSize(3).allMatch(line -> line.contains("nosuid,nodev"));
    }

    @Test
    void aProgramOutlivesTheThreadThatAskedForIt() throws Exception {
        var asking = new java.util.concurrent.FutureTask<>(() -> sandbox.start(
                new ConfinedProgram(List.of("/bin/sh", "-c", "sleep 0.5; echo done"), workdir, workdir, Map.of())));
        Thread thread = Thread.ofPlatform().start(asking);
        thread.join();
        try (StartedProgram started = asking.get()) {
            assertThat(started.process().waitFor()).isZero();
            assertThat(started.process().getInputStream()).hasContent("done");
            started.end(Duration.ZERO);
        }
    }

    @Test
    void moreCanBeMadeReadableButNotWritable() throws Exception {
        Path tools = Files.createDirectory(root.resolve("tools"));
        Files.writeString(tools.resolve("t"), "tool");
        try (Sandbox more = Walls.with(new SandboxConfig(Mode.PREFERRED, new Network.None(), Walls.LIMITS,
                List.of(tools.toRealPath())))) {
            Said said = run(more, workdir, "cat " + tools + "/t; echo x > " + tools + "/t");
            assertThat(said.out()).isEqualTo("tool");
            assertThat(said.err()).contains("Read-only");
            assertThat(more.sees(tools.resolve("t"), workdir)).isTrue();
        }
        assertThat(sandbox.sees(tools.resolve("t"), workdir)).isFalse();
        assertThat(sandbox.sees(workdir.resolve("x"), workdir)).isTrue();
        assertThat(sandbox.sees(requireNonNull(other.resolve("x")), workdir)).isFalse();
    }
}
