package dev.toolfleet.worker.sandbox;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.FutureTask;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.toolfleet.config.ConfigException;
import dev.toolfleet.worker.sandbox.DeniedCalls.Architecture;
import dev.toolfleet.worker.sandbox.SandboxConfig.Limits;
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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static dev.toolfleet.worker.sandbox.Walls.run;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/// Real system calls behind the walls, and the tools that must go on working there.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SystemCallsIT {
    /// The name of each call that does not fail with EPERM, for arguments that no call accepts.
    private static final String CALLS = """
            #define _GNU_SOURCE
            #include <errno.h>
            #include <stdio.h>
            #include <sys/syscall.h>
            #include <unistd.h>
            #define TRY(name, number) \\
                errno = 0; \\
                if (syscall(number, -1L, -1L, -1L, -1L, -1L, -1L) != -1 || errno != EPERM) \\
                    printf("%s %d\\n", name, errno);
            int main(void) {
            TRIES
                return 0;
            }
            """;
    private static final String ARGUMENTS = """
            #define _GNU_SOURCE
            #include <errno.h>
            #include <sched.h>
            #include <signal.h>
            #include <stdio.h>
            #include <sys/personality.h>
            #include <sys/ptrace.h>
            #include <sys/socket.h>
            #include <sys/syscall.h>
            #include <sys/wait.h>
            #include <unistd.h>
            static void say(const char *name, long result) {
                printf("%s %s\\n", name, result >= 0 ? "ok" : errno == EPERM ? "EPERM" : errno == ENOSYS ? "ENOSYS" : "?");
            }
            int main(void) {
                say("vsock", socket(40, SOCK_STREAM, 0));
                say("alg", socket(38, SOCK_SEQPACKET, 0));
                say("unix", socket(AF_UNIX, SOCK_STREAM, 0));
                say("inet", socket(AF_INET, SOCK_STREAM, 0));
                say("userns", syscall(SYS_clone, CLONE_NEWUSER | SIGCHLD, 0, 0, 0, 0));
                say("clone3", syscall(SYS_clone3, 0, 0));
                say("norandomize", personality(ADDR_NO_RANDOMIZE));
                say("linux", personality(0xffffffff));
            #ifdef __x86_64__
                say("x32", syscall(0x40000000 + SYS_getpid));
                long i386;
                __asm__ volatile("int $0x80" : "=a"(i386) : "0"(20L) : "memory");
                errno = -i386;
                say("i386", (int) i386);
            #endif
                pid_t child = fork();
                if (child == 0) {
                    ptrace(PTRACE_TRACEME, 0, 0, 0);
                    raise(SIGSTOP);
                    _exit(0);
                }
                waitpid(child, 0, 0);
                say("own child", ptrace(PTRACE_CONT, child, 0, 0));
                waitpid(child, 0, 0);
                child = fork();
                if (child == 0) {
                    pause();
                    _exit(0);
                }
                say("attach", ptrace(PTRACE_ATTACH, child, 0, 0));
                kill(child, SIGKILL);
                return 0;
            }
            """;

    @TempDir
    Path root = Path.of(".");
    private Path workdir = Path.of(".");
    private Sandbox sandbox = Sandbox.prepare(SandboxConfig.OFF, Path.of("."));

    @BeforeAll
    void walls() {
        // Java and Node reserve far more addresses than they use.
        Limits wide = new Limits(256, 64L << 30, Duration.ofMinutes(2), 64L << 20);
        List<Path> configuration = Stream.of(Path.of("/etc/maven")).filter(Files::exists).toList();
        sandbox = Walls.with(new SandboxConfig(Mode.PREFERRED, new Network.None(), wide, configuration));
    }

    @AfterAll
    void close() {
        sandbox.close();
    }

    @BeforeEach
    void folder() throws Exception {
        workdir = Files.createTempDirectory(root.toRealPath(), "workdir");
    }

    @Test
    void everyCallOfTheListIsDenied() throws Exception {
        Architecture machine = Architecture.of(System.getProperty("os.arch")).orElseThrow();
        String tries = DeniedCalls.byName(machine).entrySet().stream()
                .map(call -> "TRY(\"" + call.getKey() + "\", " + call.getValue() + ")")
                .collect(Collectors.joining("\n"));

        assertThat(compiledAndRun(CALLS.replace("TRIES", tries)).out()).isEmpty();
    }

    @Test
    void theNumbersAreThoseOfTheSystemsHeaders() throws Exception {
        Architecture machine = Architecture.of(System.getProperty("os.arch")).orElseThrow();
        String checks = DeniedCalls.byName(machine).entrySet().stream()
                .map(call -> "#if defined SYS_" + call.getKey() + " && SYS_" + call.getKey() + " != " + call.getValue()
                        + "\nputs(\"" + call.getKey() + "\");\n#endif\n")
                .collect(Collectors.joining());
        checks += "if (SYS_clone != " + machine.oldClone() + " || SYS_clone3 != " + machine.clone3()
                + " || SYS_socket != "
                + machine.socket() + " || SYS_ptrace != " + machine.ptrace() + " || SYS_personality != "
                + machine.personality() + ") puts(\"argument\");";

        assertThat(compiledAndRun(CALLS.replace("TRIES", checks)).out()).isEmpty();
    }

    @Test
    void ofSomeCallsOnlySomeArgumentsAreDenied() throws Exception {
        List<String> expected = new ArrayList<>(List.of("vsock EPERM", "alg EPERM", "unix ok", "inet ok",
                "userns EPERM", "clone3 ENOSYS", "norandomize EPERM", "linux ok", "own child ok", "attach EPERM"));
        if (Architecture.of(System.getProperty("os.arch")).equals(Optional.of(Architecture.X86_64)))
            expected.addAll(List.of("x32 EPERM", "i386 EPERM"));

        assertThat(compiledAndRun(ARGUMENTS).out().lines()).containsExactlyInAnyOrderElementsOf(expected);
    }

    @Test
    void theFilterIsNoFileOfTheCommandsAndComesBackWhenItWasTidiedAway() throws Exception {
        try (FilterFile file = new FilterFile(SystemCallFilter.of("amd64").orElseThrow())) {
            Path first = file.path();
            assertThat(file.path()).isEqualTo(first);
            Files.delete(first);
            assertThat(file.path()).exists();
        }
        assertThat(run(sandbox, workdir, "grep Seccomp: /proc/self/status; ls /proc/self/fd | wc -l").out())
                .isEqualTo("Seccomp:\t2\n4\n");
    }

    @Test
    void aMachineWhoseCallsAreNotKnownHasWallsAndANoticeAndIsRefusedWhereAllIsRequired() {
        assertThat(unknownMachine(Mode.PREFERRED).parts(Path.of("/srv/workspace")).notices())
                .anyMatch(notice -> notice.contains("system calls of commands are not filtered")
                        && notice.contains("x86_64 or aarch64 instead of riscv64"));
        assertThatThrownBy(() -> unknownMachine(Mode.REQUIRED).parts(Path.of("/srv/workspace")))
                .isInstanceOf(ConfigException.class).hasMessageContaining("instead of riscv64");
    }

    private static SandboxPreparation unknownMachine(Mode mode) {
        return new SandboxPreparation(new SandboxConfig(mode, new Network.None(), Walls.LIMITS, List.of()),
                Programs.installed(), List.of(),
                "6.1", "riscv64");
    }

    @Test
    void aCommandSharesNoSessionKeyringWithAnother() throws Exception {
        String texts = "$t = \"user\"; $n = \"toolfleet-test\"; $s = \"SECRET\"; ";
        String add = "perl -e '" + texts + "$k = syscall(248, $t, $n, $s, 6, -3); print $k > 0 ? \"added\" : $!'";
        String find = "perl -e '" + texts + "$k = syscall(250, 10, -3, $t, $n, 0); print $k > 0 ? \"found\" : $!'";
        Assumptions.assumeTrue(Architecture.of(System.getProperty("os.arch")).equals(Optional.of(Architecture.X86_64)));
        assertThat(run(sandbox, workdir, add).out()).isEqualTo("Operation not permitted");

        // Without the filter, on a thread that has a session keyring as a login's has.
        FutureTask<List<String>> said = new FutureTask<>(() -> {
            Assumptions.assumeTrue(SessionKeyring.renew(), "no keys on this system");
            Sandbox.Parts parts = new SandboxPreparation(
                    new SandboxConfig(Mode.PREFERRED, new Network.None(), Walls.LIMITS, List.of()),
                    Programs.installed(), List.of(), "", "none").parts(Path.of("/srv/workspace"));
            try (Sandbox unfiltered = new Sandbox(parts)) {
                return List.of(run(unfiltered, workdir, add).out(), run(unfiltered, workdir, add + "; " + find).out(),
                        run(unfiltered, workdir, find).out());
            }
        });
        Thread.ofPlatform().start(said);
        assertThat(said.get()).containsExactly("added", "addedfound", "Required key not available");
    }

    static Stream<List<String>> tools() {
        return Stream.of(List.of("git", "git init -q . && echo x > f && git add f"
                + " && git -c user.name=a -c user.email=a@b commit -qm m && git log --format=%s", "m"),
                List.of("gcc", "echo 'int main(void) { return 7; }' > a.c && gcc -o a a.c && { ./a; echo $?; }", "7"),
                List.of("python3", "/usr/bin/python3 -c 'import subprocess, threading\n"
                        + "t = threading.Thread(target=lambda: print(subprocess.check_output([\"echo\", \"py\"]).decode(),"
                        + " end=\"\"))\nt.start(); t.join()'", "py"),
                List.of("node",
                        "node -e 'require(\"child_process\").exec(\"echo js\", (e, o) => process.stdout.write(o))'",
                        "js"),
                List.of("java", "echo 'void main() throws Exception {"
                        + " Thread t = Thread.startVirtualThread(() -> IO.println(\"java\")); t.join(); }' > A.java && "
                        + System.getProperty("java.home") + "/bin/java -Xmx200m A.java", "java"),
                List.of("mvn", "JAVA_HOME=" + System.getProperty("java.home") + " MAVEN_OPTS=-Xmx200m mvn -v"
                        + " | grep -o 'Apache Maven'", "Apache Maven"));
    }

    @ParameterizedTest
    @MethodSource("tools")
    void legitimateToolsGoOn(List<String> tool) throws Exception {
        Path program = tool.getFirst().equals("java")
                ? Path.of(System.getProperty("java.home"), "bin/java")
                : Path.of("/usr/bin", tool.getFirst());
        Assumptions.assumeTrue(Files.exists(program) && sandbox.sees(program.toRealPath(), workdir), "not installed");

        Said said = run(sandbox, workdir, tool.get(1));
        assertThat(said.out().strip()).as(said.err()).isEqualTo(tool.get(2));
    }

    private Said compiledAndRun(String source) throws Exception {
        Assumptions.assumeTrue(Files.isExecutable(Path.of("/usr/bin/gcc")), "no gcc");
        Files.writeString(workdir.resolve("program.c"), source);
        Said said = run(sandbox, workdir, "gcc -o program program.c && ./program");
        assertThat(said.status()).as(said.err()).isZero();
        return said;
    }
}
