package dev.toolfleet.cli.command;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import dev.toolfleet.cli.bundle.SigningKeys;
import dev.toolfleet.cli.table.TextWidth;
import dev.toolfleet.cli.terminal.Terminal;
import dev.toolfleet.json.Json;
import dev.toolfleet.wire.ResultStatus;
import dev.toolfleet.wire.ToolResult;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/// The commands that start a whole fleet in this JVM.
@Execution(ExecutionMode.CONCURRENT)
class OneJvmIT {
    private static final String BUNDLE = """
            apiVersion: goondan.ai/v1
            kind: Agent
            metadata: {name: coder}
            spec:
              tools: [{ref: {kind: Tool, name: bash, package: "@toolfleet/base"}}]
            """;

    private static final String MISSING = """
            ---
            apiVersion: goondan.ai/v1
            kind: Tool
            metadata: {name: broken}
            spec:
              entry: java:com.acme.Missing
              exports: [{name: run, description: Cannot run., parameters: {type: object}}]
            """;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @TempDir
    private Path folder = Path.of("");

    @BeforeEach
    void writeBundle() throws IOException {
        Files.writeString(Files.createDirectories(folder.resolve("bundle")).resolve("toolfleet.yaml"), BUNDLE);
    }

    @Test
    void theDemoPlaysToItsEndWithinTheWidthOfTheTerminal() {
        assertThat(run("demo")).as(err.toString()).isZero();

        assertThat(out.toString()).contains("E_TOOL_NOT_IN_CATALOG").contains("2 3 5 7 11").contains("tool.result")
                .containsPattern("← build__start +pending").contains("Step 4 goes on")
                .containsPattern("· build__start +\\d+ %").containsPattern("← build__start +ok .*3 tests passed")
                .containsPattern("← agents__request +pending").contains("Step 7 goes on")
                .containsPattern("← agents__request +ok .*13 lines").contains("agent.event").contains("tool.error")
                .containsPattern("The gateway is at http://127.0.0.1:\\d+\\.")
                .containsPattern("(?s)POST …/calls .*← bash__exec +ok .*POST …/calls .*← bash__exec +ok ")
                .containsPattern("≡ tools/list .*revision 2026-07-28")
                .containsPattern("← calendar__when +ok .*The release is on Friday.")
                .containsPattern("demo/coder: \\d+ messages, \\d+ of 123904 tokens, window safe, seq \\d+")
                .containsPattern("tool +call_8: ")
                .containsPattern("user +\\[tool result] build__start, handle ")
                .containsPattern("prompt +3 sections, sha256:[0-9a-f]{12}, ")
                .doesNotContain("\u001B[");
        assertThat(out.toString().lines()).allSatisfy(line -> assertThat(TextWidth.of(line)).isLessThanOrEqualTo(100));
        assertThat(complaints()).isEmpty();
    }

    @Test
    void theDemoPlaysWithTrustedKeysAndAnEgressList() {
        SigningKeys.Made keys = SigningKeys.make(folder.resolve("mine"));

        assertThat(run("demo", "--sign", keys.privateKey().toString(), "--set",
                "worker.trustedKeys=" + keys.publicKey(), "--set", "catalog.trustedKeys=" + keys.publicKey(), "--set",
                "worker.egress.allow=api.example.com", "--set", "worker.sandbox.network=egress")).as(err.toString())
                .isZero();
        assertThat(out.toString()).contains("2 3 5 7 11");
    }

    @Test
    void aDemoOfAnotherKeyThanTheTrustedOneDoesNotStart() {
        SigningKeys.Made keys = SigningKeys.make(folder.resolve("mine"));
        SigningKeys.Made others = SigningKeys.make(folder.resolve("others"));

        assertThat(run("demo", "--sign", keys.privateKey().toString(), "--set",
                "worker.trustedKeys=" + others.publicKey(), "--set", "catalog.trustedKeys=" + others.publicKey()))
                .isNotZero();
        assertThat(err.toString()).contains("trust");
    }

    @Test
    void aScriptIsPlayedAndEachInstanceKeepsItsOrder() throws IOException {
        List<String> script = new ArrayList<>();
        for (int i = 0; i < 40; i++)
            script.add("{\"name\":\"bash__exec\",\"instanceKey\":\"i" + i % 4 + "\",\"stepId\":\"step-" + i / 20
                    + "\",\"args\":{\"command\":\"echo " + i + "\"}}");
        script.add("{\"name\":\"nothing__here\",\"instanceKey\":\"i0\"}");

        assertThat(play(script, "--timeout", "60s")).as(err.toString()).isZero();

        List<ToolResult> results = results();
        assertThat(results).hasSize(41);
        for (int instance = 0; instance < 4; instance++) {
            String key = "i" + instance;
            assertThat(results.stream().filter(result -> result.instanceKey().equals(key))
                    .map(result -> Integer.parseInt(result.toolCallId().substring("call-".length())))).isSorted();
        }
        assertThat(results.stream().filter(result -> result.status() == ResultStatus.ERROR)).singleElement()
                .satisfies(result -> assertThat(result.toolCallId()).isEqualTo("call-41"));
    }

    @Test
    void aCallWithoutResultInTimeIsNamedAndItsCommandIsKilled() throws IOException {
        long begun = System.nanoTime();
        assertThat(play(List.of("{\"name\":\"bash__exec\",\"args\":{\"command\":\"true\"}}",
                "{\"name\":\"bash__exec\",\"instanceKey\":\"slow\",\"args\":{\"command\":\"sleep 600.125\"}}",
                "{\"name\":\"bash__exec\",\"instanceKey\":\"slow\",\"stepId\":\"next\"}"), "--timeout", "30s"))
                .isEqualTo(1);

        assertThat(err.toString()).contains("2 of 3 calls").contains("call-2 (line 2, bash__exec, instance slow)")
                .contains("call-3");
        assertThat(results()).extracting(ToolResult::toolCallId)
                .as("the second may be answered while the fleet stops").startsWith("call-1").doesNotContain("call-3");
        await().atMost(Duration.ofMinutes(1)).untilAsserted(
                () -> assertThat(ProcessHandle.allProcesses().map(process -> process.info().commandLine().orElse("")))
                        .noneMatch(command -> command.contains("600.125")));
        assertThat(Duration.ofNanos(System.nanoTime() - begun)).as("the command was not waited for")
                .isLessThan(Duration.ofMinutes(5));
    }

    @Test
    void whatComesAfterACallThatCannotBeSentIsNotWaitedFor() throws IOException {
        long begun = System.nanoTime();
        assertThat(play(List.of(
                "{\"name\":\"bash__exec\",\"args\":{\"command\":\"" + "x".repeat(2_000_000) + "\"}}",
                "{\"name\":\"bash__exec\",\"stepId\":\"next\"}"), "--timeout", "10m")).isEqualTo(1);

        assertThat(err.toString()).contains("2 of 2 calls").contains("call-2").contains("call-1 before it");
        assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofMinutes(5));
    }

    @Test
    void aBundleWhoseCodeIsMissingFailsAtOnce() throws IOException {
        Files.writeString(folder.resolve("bundle/toolfleet.yaml"), BUNDLE + MISSING);
        long begun = System.nanoTime();

        assertThat(play(List.of("{\"name\":\"bash__exec\"}"))).isEqualTo(1);

        assertThat(err.toString()).contains("com.acme.Missing").contains("--classpath").doesNotContain("\tat ");
        assertThat(Duration.ofNanos(System.nanoTime() - begun)).as("nothing was waited for")
                .isLessThan(Duration.ofMinutes(5));
    }

    @Test
    void aPortInUseIsOneLine() throws IOException {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            assertThat(run("dev", "--port", Integer.toString(taken.getLocalPort()))).isEqualTo(1);

            assertThat(complaints()).singleElement().asString()
                    .contains(Integer.toString(taken.getLocalPort()));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"gateway.http.port", "gateway.internal.port"})
    void aPortOfTheGatewayInUseIsOneLineThatNamesTheSetting(String key) throws IOException {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String port = Integer.toString(taken.getLocalPort());
            assertThat(play(List.of("{\"name\":\"bash__exec\"}"), "--set", key + "=" + port)).isEqualTo(1);

            assertThat(complaints()).singleElement().asString().startsWith("toolfleet: gateway.")
                    .contains(key + " " + port);
        }
    }

    @Test
    void aRunPrintsItsGatewayUnlessItHasNone() throws IOException {
        List<String> script = List.of("{\"name\":\"bash__exec\",\"args\":{\"command\":\"true\"}}");
        assertThat(play(script)).as(err.toString()).isZero();
        assertThat(complaints()).singleElement().asString()
                .matches("toolfleet: the gateway is at http://127\\.0\\.0\\.1:\\d+");

        err.getBuffer().setLength(0);
        assertThat(play(script, "--set", "gateway.http.port=off")).as(err.toString()).isZero();
        assertThat(complaints()).isEmpty();
    }

    @Test
    void aWorkspaceThatCannotBeWrittenIsOneLine() throws IOException {
        Path file = Files.writeString(folder.resolve("file"), "no folder");

        assertThat(play(List.of("{\"name\":\"bash__exec\"}"), "--workspace", file.resolve("below").toString()))
                .isEqualTo(1);

        assertThat(complaints()).singleElement().asString().contains("the workspace").contains("below");
    }

    @Test
    void aLocalCallNeedsNoBroker() {
        assertThat(run("call", "bash__exec", "{\"command\":\"echo hi\"}", "--local", "--bundle",
                folder.resolve("bundle").toString())).as(err.toString()).isZero();

        assertThat(out.toString()).contains("\"ok\"").contains("hi");
    }

    /// What stands on standard error beside the progress that a slow machine sees.
    private List<String> complaints() {
        return err.toString().lines().filter(line -> !line.endsWith(" ...")).toList();
    }

    private int play(List<String> script, String... more) throws IOException {
        Path calls = Files.write(folder.resolve("calls.jsonl"), script);
        List<String> arguments = new ArrayList<>(List.of("run", "--bundle", folder.resolve("bundle").toString(),
                "--calls", calls.toString(), "--results", folder.resolve("results.jsonl").toString()));
        arguments.addAll(List.of(more));
        return run(arguments.toArray(String[]::new));
    }

    private List<ToolResult> results() throws IOException {
        return Files.readAllLines(folder.resolve("results.jsonl")).stream()
                .map(line -> Json.MAPPER.readValue(line, ToolResult.class)).toList();
    }

    private int run(String... arguments) {
        Terminal terminal = new Terminal(new PrintWriter(out), new PrintWriter(err), false, false, 100);
        int code = ToolfleetCommand.run(new CommandContext(terminal, Map.of()), arguments);
        terminal.out().flush();
        terminal.err().flush();
        return code;
    }
}
