package dev.toolfleet.worker.sandbox;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import dev.toolfleet.worker.sandbox.SandboxConfig.Mode;
import dev.toolfleet.worker.sandbox.SandboxConfig.Network;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static dev.toolfleet.worker.sandbox.Walls.run;
import static org.assertj.core.api.Assertions.assertThat;

/// No variable of a call works on the sandbox itself: every program that it reaches is within the limits.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class VariablesIT {
    /// Writes down which program loaded it, and that program's limits of file size and processes.
    private static final String SPY = """
            #define _GNU_SOURCE
            #include <errno.h>
            #include <fcntl.h>
            #include <stdio.h>
            #include <stdlib.h>
            #include <string.h>
            #include <sys/resource.h>
            #include <unistd.h>
            unsigned int la_version(unsigned int version) { return version; }
            __attribute__((constructor)) static void look(void) {
                struct rlimit size, processes;
                char line[200];
                getrlimit(RLIMIT_FSIZE, &size);
                getrlimit(RLIMIT_NPROC, &processes);
                int length = snprintf(line, sizeof line, "%s %ld %ld\\n", program_invocation_short_name,
                        (long) size.rlim_cur, (long) processes.rlim_cur);
                int file = open("WORKDIR/seen", O_WRONLY | O_CREAT | O_APPEND, 0666);
                if (file >= 0 && write(file, line, length) < 0)
                    abort();
                close(file);
            }
            """;

    @TempDir
    Path root = Path.of(".");
    private Path workdir = Path.of(".");

    @BeforeAll
    void walls() {
        Walls.small().close();
        Assumptions.assumeTrue(Files.isExecutable(Path.of("/usr/bin/gcc")), "no gcc");
    }

    @BeforeEach
    void spy() throws Exception {
        Files.setPosixFilePermissions(root, PosixFilePermissions.fromString("rwxr-xr-x"));
        workdir = Files.createTempDirectory(root.toRealPath(), "workdir");
        Files.setPosixFilePermissions(workdir, PosixFilePermissions.fromString("rwxrwxrwx"));
        Files.writeString(workdir.resolve("spy.c"), SPY.replace("WORKDIR", workdir.toString()));
        assertThat(new ProcessBuilder("gcc", "-shared", "-fPIC", "-o", "spy.so", "spy.c").directory(workdir.toFile())
                .inheritIO().start().waitFor()).isZero();
    }

    static Stream<String> loaders() {
        return Stream.of("LD_PRELOAD", "LD_AUDIT");
    }

    @ParameterizedTest
    @MethodSource("loaders")
    void aLibraryOfTheCallIsLoadedBehindTheLimitsOnly(String variable) throws Exception {
        try (Sandbox sandbox = Walls.small()) {
            // The second program is one that the command itself starts.
            run(sandbox, workdir, Map.of(variable, workdir + "/spy.so"), "/bin/true; exit 0");
        }
        assertThat(seen()).hasSizeGreaterThan(1).allMatch(line -> line.contains(" " + Walls.LIMITS.fileSize() + " "))
                .noneMatch(line -> line.startsWith("bwrap") || line.startsWith("prlimit"));
    }

    @ParameterizedTest
    @MethodSource("loaders")
    void aLibraryOfTheCallDoesNotLiftTheLimitOfAnotherUsersProcesses(String variable) throws Exception {
        Assumptions.assumeTrue("root".equals(System.getProperty("user.name")), "not root");
        try (Sandbox sandbox = new Sandbox(UnprivilegedIT.parts(UnprivilegedIT.AS_NOBODY))) {
            run(sandbox, workdir, Map.of(variable, workdir + "/spy.so"), "/bin/true; exit 0");
        }
        assertThat(seen()).hasSizeGreaterThan(1)
                .allMatch(line -> line.endsWith(" " + Walls.LIMITS.fileSize() + " " + (Walls.LIMITS.processes() + 1)));
    }

    @ParameterizedTest
    @MethodSource("loaders")
    void aLibraryOfTheCallDoesNotLiftTheLimitsWithoutWalls(String variable) throws Exception {
        try (Sandbox sandbox = Walls.withoutWalls()) {
            run(sandbox, workdir, Map.of(variable, workdir + "/spy.so"), "/bin/true; exit 0");
        }
        assertThat(seen()).hasSizeGreaterThan(1).allMatch(line -> line.contains(" " + Walls.LIMITS.fileSize() + " "));
    }

    @Test
    void noOtherVariableChangesALimit() throws Exception {
        Path startup = Files.writeString(workdir.resolve("startup"), "ulimit -f unlimited; echo ran >> " + workdir
                + "/seen\n");
        Map<String, String> env = Map.of("ENV", startup.toString(), "BASH_ENV", startup.toString(), "LD_LIBRARY_PATH",
                workdir.toString(), "GLIBC_TUNABLES", "glibc.malloc.check=3", "LD_BIND_NOW", "1", "PATH",
                workdir + ":/usr/bin:/bin", "IFS", "/", "OPTIND", "no number");
        Path prlimit = Files.writeString(workdir.resolve("prlimit"), "#!/bin/sh\nexec \"$@\"\n");
        Files.setPosixFilePermissions(prlimit, PosixFilePermissions.fromString("rwxr-xr-x"));
        try (Sandbox sandbox = Walls.small()) {
            assertThat(run(sandbox, workdir, env, "ulimit -f").out().strip())
                    .isEqualTo(Long.toString(Walls.LIMITS.fileSize() / 512));
        }
        assertThat(workdir.resolve("seen")).doesNotExist();
    }

    @Test
    void aProgramOfTheCallIsNotAskedWhichFolderItIs() throws Exception {
        Path stat = Files.writeString(workdir.resolve("stat"), "#!/bin/sh\necho 1:2\n");
        Files.setPosixFilePermissions(stat, PosixFilePermissions.fromString("rwxr-xr-x"));
        ConfinedProgram elsewhere = new ConfinedProgram(List.of("/bin/sh", "-c", "echo ran"), workdir, workdir,
                Map.of("PATH", workdir + ":/usr/bin:/bin"), "1:2");
        try (Sandbox sandbox = Walls.small(); StartedProgram started = sandbox.start(elsewhere)) {
            assertThat(started.process().waitFor()).isEqualTo(126);
            assertThat(started.process().getInputStream()).isEmpty();
            started.end(java.time.Duration.ZERO);
        }
    }

    @Test
    void everyValueArrivesAsItIs() throws Exception {
        Map<String, String> env = Map.of("A", "two  words", "B", "x\ny\n", "C", "$(id) `id` \\ \" '", "D", "", "E",
                "\u00e9 \u2028 \ud83d\ude00", "TOOLFLEET_PROCESS", "mine");
        String script = "for v in \"$A\" \"$B\" \"$C\" \"$D\" \"$E\"; do printf '%s|' \"$v\"; done; env | grep -c '^v'";
        for (Mode mode : List.of(Mode.PREFERRED, Mode.OFF)) {
            try (Sandbox sandbox = Walls
                    .with(new SandboxConfig(Mode.PREFERRED, new Network.None(), Walls.LIMITS, List.of()));
                    Sandbox off = Sandbox.prepare(SandboxConfig.OFF, root)) {
                assertThat(run(mode == Mode.OFF ? off : sandbox, workdir, env, script).out())
                        .isEqualTo("two  words|x\ny\n|$(id) `id` \\ \" '||\u00e9 \u2028 \ud83d\ude00|0\n");
            }
        }
    }

    private List<String> seen() throws Exception {
        return Files.readAllLines(workdir.resolve("seen"));
    }
}
