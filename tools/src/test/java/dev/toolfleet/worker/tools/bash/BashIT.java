package dev.toolfleet.worker.tools.bash;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.toolfleet.json.Json;
import dev.toolfleet.testkit.FakeToolContext;
import dev.toolfleet.testkit.HandlerRun;
import dev.toolfleet.testkit.HandlerRun.Outcome;
import dev.toolfleet.testkit.ToolContract;
import dev.toolfleet.tool.Operand;
import dev.toolfleet.tool.ToolException;
import dev.toolfleet.tool.ToolOutput;
import dev.toolfleet.worker.sandbox.Sandbox;
import dev.toolfleet.worker.sandbox.SandboxConfig;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import tools.jackson.databind.node.ObjectNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

@Isolated("compares the threads and files of this JVM")
class BashIT {
    private static final Duration SOON = Duration.ofSeconds(60);
    private static final Sandbox SANDBOX = Sandbox.prepare(SandboxConfig.OFF, Path.of("workspace"));

    @TempDir
    Path workdir;

    @Test
    void itPassesTheContract() throws InterruptedException {
        ToolContract.of(() -> new BashModule(SANDBOX, workdir))
                .workdir(folder -> Files.writeString(folder.resolve("s.sh"), "echo $1; sleep ${2:-0}")).export("exec")
                .input("{'command': 'echo hi'}").input("{'command': 'sleep 100 & exit 3'}")
                .slowInput("{'command': 'sleep 60 | cat'}").failingInput("{'command': ''}")
                .failingInput("{'command': 'ls', 'cwd': '../..'}").export("script")
                .input("{'path': 's.sh', 'args': ['x']}").slowInput("{'path': 's.sh', 'args': ['x', '60']}")
                .failingInput("{'path': 'none.sh'}").verify();
    }

    @Test
    void execAnswersWithExactlyTheFieldsOfGoondan() throws Exception {
        ObjectNode result = exec("echo out; echo err >&2; exit 3");

        assertThat(result.propertyNames()).containsExactly("command", "cwd", "durationMs", "stdout", "stderr",
                "exitCode", "signal", "timedOut", "truncated");
        assertThat(result.path("stdout").asString()).isEqualTo("out\n");
        assertThat(result.path("stderr").asString()).isEqualTo("err\n");
        assertThat(result.path("exitCode").asInt()).isEqualTo(3);
        assertThat(result.path("signal").isNull()).isTrue();
        assertThat(result.path("cwd").asString()).isEqualTo(workdir.toRealPath().toString());
    }

    @Test
    void theScriptIsWhatAnApprovalIsBoundTo() throws Exception {
        Files.writeString(workdir.resolve("deploy.sh"), "echo harmless\n");
        BashModule bash = new BashModule(SANDBOX, workdir);
        FakeToolContext context = FakeToolContext.in(workdir);
        ObjectNode input = (ObjectNode) Json.MAPPER.readTree("{\"path\": \"deploy.sh\"}");

        Operand before = bash.operands("script", context, input).getFirst();
        assertThat(before).isEqualTo(Operand.of("deploy.sh", "echo harmless\n".getBytes(StandardCharsets.UTF_8)));
        Files.writeString(workdir.resolve("deploy.sh"), "echo EVIL\n");
        assertThat(bash.operands("script", context, input).getFirst().digest()).isNotEqualTo(before.digest());
        assertThat(bash.operands("exec", context, (ObjectNode) Json.MAPPER.readTree("{\"command\": \"sh deploy.sh\"}")))
                .isEmpty();
        input.put("path", "none.sh");
        assertThatThrownBy(() -> bash.operands("script", context, input)).isInstanceOf(ToolException.class);
        input.put("path", "/etc/passwd");
        assertThatThrownBy(() -> bash.operands("script", context, input)).isInstanceOf(ToolException.class);
    }

    @Test
    void scriptGetsItsArgumentsAndItsInterpreter() throws Exception {
        Files.writeString(workdir.resolve("s"), "echo \"$0 $1|$2\"; pwd");
        ObjectNode result = call("script", "{'path': 's', 'args': ['a b', ''], 'shell': 'sh'}");

        String path = workdir.toRealPath().resolve("s").toString();
        assertThat(result.propertyNames()).containsExactly("path", "shell", "args", "durationMs", "stdout", "stderr",
                "exitCode", "signal", "timedOut", "truncated");
        assertThat(result.path("path").asString()).isEqualTo(path);
        assertThat(result.path("stdout").asString()).isEqualTo(path + " a b|\n" + workdir.toRealPath() + "\n");
    }

    @Test
    void aSignalIsNamedAndTheExitCodeIsMinusOne() throws Exception {
        ObjectNode result = exec("kill -9 $$");
        assertThat(result.path("exitCode").asInt()).isEqualTo(-1);
        assertThat(result.path("signal").asString()).isEqualTo("SIGKILL");
    }

    @Test
    void anExitCodeAbove128IsNoSignalWhenNobodyKilled() throws Exception {
        for (int code : new int[]{129, 130, 159}) {
            ObjectNode result = exec("exit " + code);
            assertThat(result.path("exitCode").asInt()).isEqualTo(code);
            assertThat(result.path("signal").isNull()).isTrue();
        }
    }

    @Test
    void outputBeyondTheCapIsDroppedAndDoesNotBlockTheProcess() throws Exception {
        ObjectNode result = exec("yes | head -c 5000000; echo done >&2");

        // A line break takes two bytes in JSON.
        assertThat(result.path("stdout").asString()).hasSize(666_667).endsWith("y");
        assertThat(result.path("truncated").booleanValue()).isTrue();
        assertThat(result.path("stdoutTruncated").booleanValue()).isTrue();
        assertThat(result.path("stderrTruncated").booleanValue()).isFalse();
        assertThat(result.path("stderr").asString()).isEqualTo("done\n");
    }

    @Test
    void outputThatJsonMakesLargerIsCappedByWhatItTakesInTheResult() throws Exception {
        ObjectNode result = exec("head -c 900000 /dev/zero; head -c 900000 /dev/zero | tr '\\0' '\\377' >&2");

        assertThat(result.path("stdout").asString()).hasSize(166_666).matches("\0+");
        assertThat(result.path("stderr").asString()).hasSize(333_333).startsWith("\ufffd");
        assertThat(result.path("stdoutTruncated").booleanValue()).isTrue();
        assertThat(result.path("stderrTruncated").booleanValue()).isTrue();
        assertThat(Json.MAPPER.writeValueAsBytes(result).length).isLessThan(2_001_000);
    }

    @Test
    void endlessOutputEndsWithTheTimeoutAndIsCapped() throws Exception {
        ObjectNode result = call("exec", "{'command': 'yes \u00e9\u00e9', 'timeoutMs': 3000}");

        assertThat(result.path("timedOut").booleanValue()).isTrue();
        assertThat(result.path("exitCode").asInt()).isEqualTo(-1);
        assertThat(result.path("signal").asString()).isEqualTo("SIGTERM");
        assertThat(result.path("stdout").asString()).doesNotContain("\ufffd").startsWith("\u00e9\u00e9\n");
    }

    @Test
    void nothingSurvivesATimeoutNotEvenWhoIgnoresSigterm() throws Exception {
        ObjectNode result = call("exec",
                "{'command': \"(trap '' TERM; sh -c 'echo $$ > stubborn; while :; do sleep 1; done') & sleep 70 & "
                        + "setsid sh -c 'echo $$ > daemon; exec sleep 71' & wait\", 'timeoutMs': 5000}");

        assertThat(result.path("timedOut").booleanValue()).isTrue();
        assertThat(result.path("durationMs").asLong()).isBetween(7_000L, 60_000L);
        assertDead("stubborn", "daemon");
    }

    @Test
    void anInterruptKillsTheGroupAndIsPassedOn() throws Exception {
        HandlerRun run = start("sh -c 'trap \"\" TERM; echo $$ > stubborn; while :; do sleep 1; done' & wait");
        await("stubborn");
        run.interrupt();

        assertThat(run.endsWithin(SOON)).isTrue();
        assertThat(run.outcome()).isInstanceOfSatisfying(Outcome.Threw.class,
                threw -> assertThat(threw.cause()).isInstanceOf(InterruptedException.class));
        assertDead("stubborn");
    }

    @Test
    void aBackgroundChildThatHoldsStdoutOpenNeitherHangsTheCallNorSurvives() throws Exception {
        ObjectNode result = exec("sleep 1000 & echo $! > child; setsid sleep 1001 & echo $! > daemon; echo started");

        assertThat(result.path("durationMs").asLong()).isLessThan(60_000);
        assertThat(result.path("stdout").asString()).isEqualTo("started\n");
        assertThat(result.path("exitCode").asInt()).isZero();
        assertDead("child", "daemon");
    }

    @Test
    void aDaemonThatLeavesGroupSessionAndMarkDies() throws Exception {
        exec("true");
        long files = openFiles();
        Set<Thread> threads = platformThreads();
        ObjectNode result = exec("setsid env -i sleep 1002 & echo $! > loud; echo started");
        assertThat(result.path("stdout").asString()).isEqualTo("started\n");
        assertThat(result.path("durationMs").asLong()).isLessThan(60_000);
        exec("setsid env -i sleep 1003 >/dev/null 2>&1 & echo $! > silent; sleep 3");

        assertDead("loud", "silent");
        assertThat(platformThreads()).isSubsetOf(threads);
        Awaitility.await().atMost(SOON).until(() -> openFiles() <= files);
    }

    @Test
    void whoeverStillHoldsTheOutputCostsNeitherThreadNorFile() throws Exception {
        exec("true");
        long files = openFiles();
        Set<Thread> threads = platformThreads();
        Process escaped = new ProcessBuilder("sleep", "1004").start();
        try (InputStream pipe = escaped.getInputStream()) {
            CappedOutput output = new CappedOutput(pipe, 10, "test");
            output.finish(SOON);

            assertThat(output.text()).isEqualTo(new CappedOutput.Text("", false));
            assertThat(platformThreads()).isSubsetOf(threads);
        } finally {
            escaped.destroyForcibly().waitFor();
        }
        Awaitility.await().atMost(SOON).until(() -> openFiles() <= files);
    }

    @Test
    void theWorkersOwnVariablesAreNotSeen() throws Exception {
        Map<String, String> env = new HashMap<>(System.getenv());
        env.put("WORKER_SECRET", "hunter2");
        BashModule module = new BashModule(SANDBOX, workdir, InstantSource.system(), env);
        ObjectNode result = call(module, "exec", "{'command': 'env', 'env': {'A': 1, 'B': true, 'C': 'x y'}}");

        assertThat(result.path("stdout").asString()).doesNotContain("hunter2").contains("A=1\n", "B=true\n", "C=x y\n",
                "PATH=");
    }

    @Test
    void stdinIsAtItsEnd() throws Exception {
        assertThat(exec("cat; echo end").path("stdout").asString()).isEqualTo("end\n");
    }

    @Test
    void theWorkdirIsTheLimitOfCwdAndPathUnlessConfigured() throws Exception {
        Files.createDirectory(workdir.resolve("in"));
        Files.createSymbolicLink(workdir.resolve("out"), Path.of("/"));
        assertThat(call("exec", "{'command': 'pwd', 'cwd': 'in'}").path("stdout").asString()).endsWith("/in\n");
        assertThat(failure("exec", "{'command': 'pwd', 'cwd': 'out'}")).isEqualTo("E_PATH_OUTSIDE_WORKDIR");
        assertThat(failure("exec", "{'command': 'pwd', 'cwd': 'none'}")).isEqualTo("ENOENT");
        assertThat(failure("script", "{'path': '/etc/profile'}")).isEqualTo("E_PATH_OUTSIDE_WORKDIR");
        assertThat(failure("script", "{'path': 'in'}")).isEqualTo("EISDIR");

        BashModule free = new BashModule(SANDBOX, workdir);
        free.configure(object("{'allowOutsideWorkdir': true}"));
        assertThat(call(free, "exec", "{'command': 'pwd', 'cwd': 'out'}").path("stdout").asString()).isEqualTo("/\n");
    }

    @Test
    void whatCannotStartSaysWhy() throws Exception {
        Files.writeString(workdir.resolve("s"), "echo");
        assertThat(failure("script", "{'path': 's', 'shell': '/no/such/shell'}")).isEqualTo("ENOENT");
        assertThat(failure("script", "{'path': 's', 'shell': 'no-such-shell'}")).isEqualTo("ENOENT");
        assertThat(failure("exec", "{'command': 'echo \\u0000'}")).isEqualTo("E_TOOL_INVALID_ARGS");
        assertThat(failure("exec", "{'command': '" + "x".repeat(300_000) + "'}")).isEqualTo("E2BIG");
    }

    private ObjectNode exec(String command) throws Exception {
        return call("exec", Json.MAPPER.createObjectNode().put("command", command).toString());
    }

    private ObjectNode call(String export, String json) throws Exception {
        return call(new BashModule(SANDBOX, workdir), export, json);
    }

    private ObjectNode call(BashModule module, String export, String json) throws Exception {
        ToolOutput output = Objects.requireNonNull(module.handlers().get(export))
                .handle(FakeToolContext.in(workdir), object(json));
        return (ObjectNode) Objects.requireNonNull(((ToolOutput.Value) Objects.requireNonNull(output)).value());
    }

    private String failure(String export, String json) throws Exception {
        try {
            return "answered " + call(export, json);
        } catch (ToolException e) {
            return e.code();
        }
    }

    private HandlerRun start(String command) {
        return HandlerRun.start(Objects.requireNonNull(new BashModule(SANDBOX, workdir).handlers().get("exec")),
                FakeToolContext.in(workdir), Json.MAPPER.createObjectNode().put("command", command));
    }

    private static ObjectNode object(String json) {
        return (ObjectNode) tools.jackson.databind.json.JsonMapper.builder()
                .enable(tools.jackson.core.json.JsonReadFeature.ALLOW_SINGLE_QUOTES).build().readTree(json);
    }

    private static long openFiles() throws IOException {
        try (Stream<Path> files = Files.list(Path.of("/proc/self/fd"))) {
            return files.count();
        }
    }

    /// Without those of the JDK, which keeps the ones that wait for processes for a while.
    private static Set<Thread> platformThreads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> !thread.getName().matches("process reaper.*|ForkJoinPool.*|VirtualThread.*"))
                .collect(Collectors.toSet());
    }

    private void await(String pidFile) {
        Awaitility.await().atMost(SOON).until(() -> !pid(pidFile).isEmpty());
    }

    private void assertDead(String... pidFiles) throws IOException {
        for (String file : List.of(pidFiles))
            assertThat(ProcessHandle.of(Long.parseLong(pid(file))).filter(BashIT::runs)).as(file).isEmpty();
    }

    private static boolean runs(ProcessHandle process) {
        // A zombie waits for its new parent to notice; it is dead all the same.
        return process.isAlive() && process.info().command().isPresent();
    }

    private String pid(String file) throws IOException {
        Path path = workdir.resolve(file);
        return Files.exists(path) ? Files.readString(path).strip() : "";
    }
}
