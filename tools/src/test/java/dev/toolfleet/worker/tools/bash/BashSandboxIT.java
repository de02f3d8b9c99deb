package dev.toolfleet.worker.tools.bash;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

import dev.toolfleet.testkit.FakeToolContext;
import dev.toolfleet.testkit.HandlerRun;
import dev.toolfleet.testkit.ToolContract;
import dev.toolfleet.tool.ToolException;
import dev.toolfleet.tool.ToolOutput;
import dev.toolfleet.worker.sandbox.ConfinedProgram;
import dev.toolfleet.worker.sandbox.Sandbox;
import dev.toolfleet.worker.sandbox.SandboxConfig;
import dev.toolfleet.worker.sandbox.StartedProgram;
import dev.toolfleet.worker.sandbox.Walls;
import dev.toolfleet.worker.tools.args.WorkPaths;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import tools.jackson.databind.node.ObjectNode;

import static org.assertj.core.api.Assertions.assertThat;

/// The tool behind walls. What it is without them, [BashIT] tests.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Isolated("the contract of a tool compares the threads and files of this JVM")
class BashSandboxIT {
    private static final Duration SOON = Duration.ofSeconds(60);

    private Sandbox sandbox = Sandbox.prepare(SandboxConfig.OFF, Path.of("workspace"));

    @BeforeAll
    void walls() {
        sandbox = Walls.small();
    }

    @AfterAll
    void close() {
        sandbox.close();
    }

    @Test
    void itPassesTheContract() throws InterruptedException {
        ToolContract.of(() -> new BashModule(sandbox, Path.of("workspace")))
                .workdir(folder -> Files.writeString(folder.resolve("s.sh"), "echo $1; sleep ${2:-0}")).export("exec")
                .input("{'command': 'echo hi'}").input("{'command': 'sleep 100 & exit 3'}")
                .slowInput("{'command': 'sleep 60 | cat'}").failingInput("{'command': ''}")
                .failingInput("{'command': 'ls', 'cwd': '../..'}").export("script")
                .input("{'path': 's.sh', 'args': ['x']}").slowInput("{'path': 's.sh', 'args': ['x', '60']}")
                .failingInput("{'path': 'none.sh'}").verify();
    }

    @Test
    void aResultIsWhatItIsWithoutWalls(@TempDir Path temp) throws Exception {
        Path workdir = Files.createDirectory(temp.toRealPath().resolve("w\u00e9 d"));
        Files.createDirectory(workdir.resolve("in"));
        ObjectNode result = call(workdir, "exec",
                "{'command': 'pwd; echo $A; cat; echo \u00e9 >&2; exit 3', 'cwd': 'in', 'env': {'A': 'x y'}}");

        assertThat(result.propertyNames()).containsExactly("command", "cwd", "durationMs", "stdout", "stderr",
                "exitCode", "signal", "timedOut", "truncated");
        assertThat(result.path("stdout").asString()).isEqualTo(workdir + "/in\nx y\n");
        assertThat(result.path("stderr").asString()).isEqualTo("\u00e9\n");
        assertThat(result.path("exitCode").asInt()).isEqualTo(3);
        ObjectNode killed = call(workdir, "exec", "{'command': 'kill -9 $$'}");
        assertThat(killed.path("signal").asString()).isEqualTo("SIGKILL");
        assertThat(killed.path("exitCode").asInt()).isEqualTo(-1);
    }

    @Test
    void scriptsRunWithInterpretersThatAreBehindTheWalls(@TempDir Path temp) throws Exception {
        Path workdir = Files.createDirectory(temp.toRealPath().resolve("w"));
        Files.writeString(workdir.resolve("s"), "echo \"$0 $1\"");
        Path shell = Files.copy(Path.of("/bin/sh").toRealPath(), temp.resolve("shell"));

        assertThat(call(workdir, "script", "{'path': 's', 'args': ['a'], 'shell': 'sh'}").path("stdout").asString())
                .isEqualTo(workdir + "/s a\n");
        assertThat(failure(workdir, "script", "{'path': 's', 'shell': '" + shell + "'}")).isEqualTo("ENOENT");
        Files.copy(shell, workdir.resolve("own"), java.nio.file.StandardCopyOption.COPY_ATTRIBUTES);
        assertThat(call(workdir, "script", "{'path': 's', 'shell': './own'}").path("exitCode").asInt()).isZero();
    }

    @Test
    void noSettingOfAToolLeadsOut(@TempDir Path temp) throws Exception {
        Path workdir = Files.createDirectory(temp.toRealPath().resolve("w"));
        BashModule free = new BashModule(sandbox, workdir);
        free.configure(object("{'allowOutsideWorkdir': true}"));

        assertThat(failure(free, workdir, "exec", "{'command': 'pwd', 'cwd': '/'}"))
                .isEqualTo("E_PATH_OUTSIDE_WORKDIR");
    }

    @Test
    void atItsTimeoutACommandMayTidyUpAndThenEverythingDies(@TempDir Path temp) throws Exception {
        Path workdir = temp.toRealPath();
        ObjectNode polite = call(workdir, "exec",
                "{'command': \"trap 'echo bye; exit 4' TERM; sleep 71.5001 & wait\", 'timeoutMs': 5000}");
        ObjectNode stubborn = call(workdir, "exec", "{'command': \"(trap '' TERM; while :; do sleep 71.5002; done) &"
                + " setsid env -i sleep 71.5003 >/dev/null 2>&1 & setsid sleep 71.5004 & wait\", 'timeoutMs': 5000}");

        assertThat(polite.path("stdout").asString()).isEqualTo("bye\n");
        assertThat(polite.path("timedOut").booleanValue()).isTrue();
        assertThat(stubborn.path("timedOut").booleanValue()).isTrue();
        assertThat(sleepers("71.500")).isEmpty();
    }

    @Test
    void daemonsDieWithTheirCommandAndInterruptsEndAll(@TempDir Path temp) throws Exception {
        Path workdir = temp.toRealPath();
        call(workdir, "exec", "{'command': 'setsid env -i sleep 72.5001 >/dev/null 2>&1 & echo started'}");
        assertThat(sleepers("72.500")).isEmpty();

        HandlerRun run = HandlerRun.start(
                Objects.requireNonNull(new BashModule(sandbox, workdir).handlers().get("exec")),
                FakeToolContext.in(workdir), object("{'command': 'setsid sleep 72.5002 & sleep 72.5003'}"));
        Awaitility.await().atMost(SOON).until(() -> sleepers("72.500").size() >= 2);
        run.interrupt();

        assertThat(run.endsWithin(SOON)).isTrue();
        assertThat(sleepers("72.500")).isEmpty();
    }

    @Test
    void aWorkerThatIsKilledTakesItsCommandsWithIt(@TempDir Path temp) throws Exception {
        Process worker = new ProcessBuilder(System.getProperty("java.home") + "/bin/java", "-cp",
                System.getProperty("java.class.path"), Victim.class.getName(), temp.toRealPath().toString())
                .inheritIO().start();
        try {
            Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> !sleepers("73.5001").isEmpty());
        } finally {
            worker.destroyForcibly().waitFor();
        }

        Awaitility.await().atMost(SOON).until(() -> sleepers("73.5001").isEmpty());
    }

    @Test
    void aFolderThatWasReplacedBeforeItWasBoundIsNotWorkedIn(@TempDir Path temp) throws Exception {
        Path workspace = temp.toRealPath();
        Path workdir = Files.createDirectories(workspace.resolve("owner/agent"));
        String identity = Objects.requireNonNull(WorkPaths.of(workdir, workspace, false).identity());
        assertThat(call(new BashModule(sandbox, workspace), workdir, "exec", "{'command': 'echo in'}").path("stdout")
                .stringValue()).isEqualTo("in\n");
        Files.move(workdir, workspace.resolve("owner/away"));
        Path victim = Files.createDirectories(workspace.resolve("other"));
        Files.createSymbolicLink(workdir, victim);

        try (StartedProgram started = sandbox.start(
                new ConfinedProgram(List.of("/bin/sh", "-c", "touch here"), workdir, workdir, Map.of(), identity))) {
            assertThat(started.process().waitFor(SOON.toSeconds(), TimeUnit.SECONDS)).isTrue();
            assertThat(started.process().exitValue()).isEqualTo(126);
            assertThat(new String(started.process().getErrorStream().readAllBytes(), StandardCharsets.UTF_8))
                    .contains("was replaced");
        }
        assertThat(victim).isEmptyDirectory();
    }

    /// A worker that will be killed.
    static final class Victim {
        private Victim() {}

        /// Runs a command that would take a minute.
        public static void main(String[] args) throws Exception {
            try (Sandbox sandbox = Walls.small()) {
                Objects.requireNonNull(new BashModule(sandbox, Path.of(args[0])).handlers().get("exec")).handle(
                        FakeToolContext.in(Path.of(args[0])).deadlineIn(Duration.ofMinutes(2)),
                        object("{'command': 'setsid sleep 73.5001 & sleep 73.5001', 'timeoutMs': 60000}"));
            }
        }
    }

    /// Sleeping processes of this machine, behind whatever walls, by how long they sleep.
    static List<String> sleepers(String seconds) {
        return ProcessHandle.allProcesses()
                .filter(process -> process.info().command().orElse("").endsWith("sleep"))
                .map(process -> String.join(" ", process.info().arguments().orElse(new String[0])))
                .filter(line -> line.startsWith(seconds)).toList();
    }

    private ObjectNode call(Path workdir, String export, String json) throws Exception {
        return call(new BashModule(sandbox, workdir), workdir, export, json);
    }

    private static ObjectNode call(BashModule module, Path workdir, String export, String json) throws Exception {
        ToolOutput output = Objects.requireNonNull(module.handlers().get(export)).handle(FakeToolContext.in(workdir),
                object(json));
        return (ObjectNode) Objects.requireNonNull(((ToolOutput.Value) Objects.requireNonNull(output)).value());
    }

    private String failure(Path workdir, String export, String json) throws Exception {
        return failure(new BashModule(sandbox, workdir), workdir, export, json);
    }

    private static String failure(BashModule module, Path workdir, String export, String json) throws Exception {
        try {
            return "answered " + call(module, workdir, export, json);
        } catch (ToolException e) {
            return e.code();
        }
    }

    static ObjectNode object(String json) {
        return (ObjectNode) tools.jackson.databind.json.JsonMapper.builder()
                .enable(tools.jackson.core.json.JsonReadFeature.ALLOW_SINGLE_QUOTES).build().readTree(json);
    }

}
