package dev.toolfleet.cli.command;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

import dev.toolfleet.cli.terminal.Terminal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class CommandLineIT {
    private static final String BUNDLE = """
            apiVersion: goondan.ai/v1
            kind: Agent
            metadata: {name: coder}
            spec:
              tools: [{ref: {kind: Tool, name: bash, package: "@toolfleet/base"}}]
            """;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @TempDir
    private Path folder = Path.of("");

    @Test
    void misuseEndsWith2AndTheWayOut() {
        assertThat(run("run", "--bundel", "x")).isEqualTo(2);
        assertThat(err.toString()).contains("--bundle").contains("toolfleet run --help").doesNotContain("\tat ");
    }

    @Test
    void aPortThatIsNoneEndsWith2() throws IOException {
        Files.writeString(folder.resolve("toolfleet.yaml"), BUNDLE);

        assertThat(run("run", "--bundle", folder.toString(), "--calls", "-", "--port", "65536")).isEqualTo(2);
        assertThat(err.toString()).contains("--port is 65536");
    }

    @Test
    void aMissingCommandEndsWith2() {
        assertThat(run()).isEqualTo(2);
        assertThat(err.toString()).contains("a command is missing");
    }

    @Test
    void aValidBundleEndsWith0AndAnInvalidOneWith2() throws IOException {
        Files.writeString(folder.resolve("toolfleet.yaml"), BUNDLE);
        assertThat(run("validate", folder.toString())).isZero();

        Files.writeString(folder.resolve("toolfleet.yaml"), BUNDLE.replace("name: bash", "name: bahs"));
        assertThat(run("validate", folder.toString())).isEqualTo(2);
        assertThat(out.toString()).contains("E_CONFIG_REF_NOT_FOUND").contains("toolfleet.yaml:");
    }

    @Test
    void problemsComeAsJsonToo() throws IOException {
        Files.writeString(folder.resolve("toolfleet.yaml"), BUNDLE);

        assertThat(run("validate", "--json", folder.toString())).isZero();

        assertThat(out.toString()).startsWith("{").contains("\"valid\" : true");
    }

    @Test
    void theEffectiveConfigurationShowsNoSecret() throws IOException {
        Path file = folder.resolve("fleet.yaml");
        Files.writeString(file, "kafka:\n  properties:\n    ssl.key.password: hunter2\nworker:\n  maxInFlight: 7\n");

        assertThat(run("config", "--config", file.toString(), "--set", "topics.prefix=acme.")).isZero();

        assertThat(out.toString()).contains("ssl.key.password").doesNotContain("hunter2")
                .containsPattern("worker.maxInFlight +7 +.*fleet.yaml").containsPattern("topics.prefix +acme. +--set");
    }

    @Test
    void aBadSettingIsOneLine() {
        assertThat(run("config", "--set", "worker.maxInFlight=many")).isEqualTo(2);
        assertThat(err.toString().lines()).singleElement().asString()
                .startsWith("toolfleet: worker.maxInFlight is 'many'");
    }

    @Test
    void aBrokerThatDoesNotAnswerIsOneLine() throws IOException {
        Files.writeString(folder.resolve("toolfleet.yaml"), BUNDLE);

        assertThat(run("apply", folder.toString(), "--name", "x", "--bootstrap", "localhost:1")).isEqualTo(1);

        assertThat(err.toString().lines()).singleElement().asString().contains("localhost:1");
    }

    @Test
    void aBundleWithoutANameSaysHowToNameIt() throws IOException {
        Files.writeString(folder.resolve("toolfleet.yaml"), BUNDLE);

        assertThat(run("apply", folder.toString())).isEqualTo(2);

        assertThat(err.toString()).contains("--name");
    }

    @Test
    void anUnreadableScriptRunsNothing() throws IOException {
        Files.writeString(folder.resolve("toolfleet.yaml"), BUNDLE);
        Path script = folder.resolve("calls.jsonl");
        Files.writeString(script, "{\"name\":\"bash__exec\"}\nnonsense\n");

        assertThat(run("run", "--bundle", folder.toString(), "--calls", script.toString())).isEqualTo(2);

        assertThat(err.toString()).contains("line 2: not JSON");
        assertThat(run("run", "--bundle", folder.toString(), "--calls", "absent.jsonl")).isEqualTo(2);
        assertThat(run("run", "--bundle", folder.resolve("absent").toString(), "--calls", script.toString()))
                .isEqualTo(2);
    }

    @Test
    void aSettingThatIsNotKnownStartsNothing() throws IOException {
        Files.writeString(folder.resolve("toolfleet.yaml"), BUNDLE);
        Path script = Files.writeString(folder.resolve("calls.jsonl"), "{\"name\":\"bash__exec\"}");

        Path results = Files.writeString(folder.resolve("results.jsonl"), "kept");
        for (String setting : List.of("wroker.x=1", "worker.x=1", "catalog.x=1", "topics.prefix=a b")) {
            assertThat(run("run", "--bundle", folder.toString(), "--calls", script.toString(), "--results",
                    results.toString(), "--set", setting))
                    .as(setting).isEqualTo(2);
        }

        assertThat(results).hasContent("kept");
        assertThat(err.toString().lines()).hasSize(4).allSatisfy(line -> assertThat(line).startsWith("toolfleet: "));
    }

    @Test
    void aScriptWithoutCallsLeavesNoOldResults() throws IOException {
        Files.writeString(folder.resolve("toolfleet.yaml"), BUNDLE);
        Path script = Files.writeString(folder.resolve("calls.jsonl"), "# nothing\n");
        Path results = Files.writeString(folder.resolve("results.jsonl"), "{}\n");

        assertThat(run("run", "--bundle", folder.toString(), "--calls", script.toString(), "--results",
                results.toString())).isZero();

        assertThat(results).isEmptyFile();
    }

    @Test
    void aPortThatNoBrokerCouldHaveIsRefused() {
        assertThat(run("dev", "--port", "70000")).isEqualTo(2);
        assertThat(err.toString().lines()).singleElement().asString().contains("--port is 70000").contains("65535");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1025})
    void anInstanceThatNoCallCouldHaveIsRefused(int length) {
        assertThat(run("call", "bash__exec", "--instance", "x".repeat(length), "--bootstrap", "localhost:1"))
                .isEqualTo(2);
        assertThat(err.toString().lines()).singleElement().asString().startsWith("toolfleet: --instance");
    }

    @Test
    void aLocalCallHasNoBroker() {
        assertThat(run("call", "bash__exec", "--local", "--bundle", folder.toString(), "--bootstrap", "localhost:1"))
                .isEqualTo(2);
        assertThat(err.toString().lines()).singleElement().asString().contains("--bootstrap");
    }

    @Test
    void aLocalCallTakesTheWorkersSettings() throws IOException {
        Files.writeString(folder.resolve("toolfleet.yaml"), BUNDLE);
        Path workspace = folder.resolve("workspace");
        Path config = Files.writeString(folder.resolve("fleet.yaml"),
                "worker:\n  bundles: elsewhere\n  catalog:\n    mode: step\n  workspace:\n    root: " + workspace);

        assertThat(run("call", "bash__exec", "{\"command\":\"pwd\"}", "--local", "--bundle", folder.toString(),
                "--config", config.toString())).as(err.toString()).isZero();
        assertThat(workspace).isNotEmptyDirectory();
        assertThat(run("call", "bash__exec", "--local", "--bundle", folder.toString(), "--set", "worker.x=1"))
                .isEqualTo(2);
    }

    @Test
    void anAgentThatTheBundleLacksIsRefused() throws IOException {
        Files.writeString(folder.resolve("toolfleet.yaml"), BUNDLE);
        Path script = Files.writeString(folder.resolve("calls.jsonl"), "{\"name\":\"bash__exec\"}");

        assertThat(run("run", "--bundle", folder.toString(), "--calls", script.toString(), "--agent", "nobody"))
                .isEqualTo(2);

        assertThat(err.toString()).contains("nobody").contains("coder");
    }

    private int run(String... arguments) {
        Terminal terminal = new Terminal(new PrintWriter(out), new PrintWriter(err), false, false, 100);
        int code = ToolfleetCommand.run(new CommandContext(terminal, Map.of()), arguments);
        terminal.out().flush();
        terminal.err().flush();
        return code;
    }
}
