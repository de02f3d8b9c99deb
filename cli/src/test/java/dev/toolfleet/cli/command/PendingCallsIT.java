package dev.toolfleet.cli.command;

import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;

import dev.toolfleet.cli.TypedCommands;
import dev.toolfleet.cli.fleet.FleetPlan;
import dev.toolfleet.cli.fleet.OneJvmFleet;
import dev.toolfleet.cli.fleet.ProgressNote;
import dev.toolfleet.client.CallHandle;
import dev.toolfleet.client.ToolFleetClient;
import dev.toolfleet.json.Json;
import dev.toolfleet.publishing.apply.BundleCheck;
import dev.toolfleet.publishing.apply.LocalBundle;
import dev.toolfleet.wire.ResultStatus;
import dev.toolfleet.wire.StepStarted;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.wire.ToolError;
import dev.toolfleet.wire.ToolResult;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/// Calls that finish later, from script and command line to the worker and back.
class PendingCallsIT {
    private final TypedCommands commands = TypedCommands.of(160);
    private final StringWriter out = commands.out();
    private final StringWriter err = commands.err();

    @TempDir
    private Path folder = Path.of("");

    @BeforeEach
    void writeBundle() throws IOException {
        Files.writeString(Files.createDirectories(folder.resolve("bundle")).resolve("toolfleet.yaml"),
                LaterTools.BUNDLE);
    }

    @Test
    void aScriptCompletesFailsAndCancelsItsCalls() throws IOException {
        Files.write(folder.resolve("calls.jsonl"), List.of(
                "{\"id\":\"done\",\"name\":\"later__start\",\"args\":{\"token\":\"secret\"}}",
                "{\"id\":\"failed\",\"name\":\"later__start\"}",
                "{\"id\":\"cancelled\",\"name\":\"later__start\"}",
                "{\"id\":\"by-handle\",\"name\":\"later__start\",\"args\":{\"handle\":\"mine\"}}",
                "{\"id\":\"running\",\"name\":\"later__sleep\",\"instanceKey\":\"other\"}",
                "{\"type\":\"completion\",\"toolCallId\":\"done\",\"kind\":\"progress\",\"progress\":50,\"token\":\"secret\"}",
                "{\"type\":\"completion\",\"toolCallId\":\"done\",\"kind\":\"completed\",\"output\":\"wrong\",\"token\":\"guess\"}",
                "{\"type\":\"completion\",\"toolCallId\":\"done\",\"kind\":\"completed\",\"output\":{\"jar\":\"a\"},\"token\":\"secret\"}",
                "{\"type\":\"completion\",\"toolCallId\":\"failed\",\"kind\":\"failed\",\"error\":{\"code\":\"E_X\",\"message\":\"no\"}}",
                "{\"type\":\"cancel\",\"toolCallId\":\"cancelled\",\"when\":\"pending\",\"afterMs\":100}",
                "{\"type\":\"completion\",\"handle\":\"mine\",\"kind\":\"completed\",\"output\":7}",
                "{\"type\":\"cancel\",\"toolCallId\":\"running\",\"afterMs\":100}",
                "{\"type\":\"completion\",\"toolCallId\":\"running\",\"kind\":\"completed\"}",
                "{\"type\":\"decision\",\"toolCallId\":\"failed\",\"decision\":\"approve\"}"));

        int code = run("run", "--bundle", folder.resolve("bundle").toString(), "--calls",
                folder.resolve("calls.jsonl").toString(), "--results", folder.resolve("results.jsonl").toString(),
                "--timeout", "100s");

        List<ToolResult> results = Files.readAllLines(folder.resolve("results.jsonl")).stream()
                .map(line -> Json.MAPPER.readValue(line, ToolResult.class)).toList();
        assertThat(results.stream().filter(result -> !result.isFinal())).as(err.toString())
                .extracting(ToolResult::toolCallId)
                .containsExactlyInAnyOrder("done", "failed", "cancelled", "by-handle");
        assertThat(results.stream().filter(ToolResult::isFinal)
                .map(result -> result.toolCallId() + " " + (result.error() == null
                        ? String.valueOf(result.output())
                        : result.error().code())))
                .containsExactlyInAnyOrder("done {\"jar\":\"a\"}", "failed E_X", "cancelled E_TOOL_CANCELLED",
                        "by-handle 7", "running E_TOOL_CANCELLED");
        assertThat(err.toString()).contains("2 of 9 completions, decisions and cancellations were not sent:",
                "decision (line 14, approve) was not sent: failed (line 2, later__start, instance default) waits for its"
                        + " work, not for a person's decision",
                "completion (line 13, completed) was not sent: running (line 5, later__sleep, instance other) got no"
                        + " pending result");
        assertThat(code).isEqualTo(1);
    }

    @Test
    void thePendingCallsOfARunningFleetAreShownCompletedAndCancelled() throws Exception {
        Path bundle = folder.resolve("bundle");
        FleetPlan plan = FleetPlan.temporary(folder.resolve("work"),
                LocalBundle.calledLikeItsFolder(BundleCheck.check(bundle)), Map.of());
        try (ProgressNote progress = new ProgressNote(commands.terminal());
                OneJvmFleet fleet = OneJvmFleet.start(plan, progress);
                ToolFleetClient client = ToolFleetClient.open(fleet.clientConfig("test"))) {
            String broker = fleet.bootstrapServers();
            get(client.beginStep(new StepStarted("i", "coder", "t", "s", 1, null, null, null)));
            CallHandle build = client.call(call("one", "h-1"));
            CallHandle other = client.call(call("two", "h-2"));
            assertThat(get(build.firstResult()).handle()).isEqualTo("h-1");
            assertThat(get(other.firstResult()).handle()).isEqualTo("h-2");

            assertThat(run("progress", "h-1", "--percent", "40", "--message", "compiling", "--bootstrap", broker))
                    .as(err.toString()).isZero();
            for (int attempt = 0; attempt < 50 && !out.toString().contains("compiling"); attempt++)
                assertThat(run("handles", "--bootstrap", broker)).as(err.toString()).isZero();
            assertThat(out.toString()).contains("h-1", "h-2", "later__start", "40 %  compiling");

            assertThat(run("complete", "h-1", "--output", "{\"jar\": \"a.jar\"}", "--timeout", "60s", "--bootstrap",
                    broker))
                    .as(err.toString()).isZero();
            assertThat(out.toString()).contains("later__start (one, instance i) ended: ok");
            assertThat(get(build.result()).status()).isEqualTo(ResultStatus.OK);
            assertThat(run("complete", "h-1", "--bootstrap", broker)).isEqualTo(1);
            assertThat(err.toString()).contains("handle 'h-1' has ended").contains("(ok)");

            assertThat(run("cancel", "--instance", "i", "--call", "two", "--by", "ada", "--timeout", "60s",
                    "--bootstrap", broker))
                    .as(err.toString()).isZero();
            assertThat(out.toString()).contains("E_TOOL_CANCELLED");
            assertThat(get(other.result()).error()).isNotNull().extracting(ToolError::message).asString()
                    .contains("ada");
            assertThat(run("cancel", "h-2", "--timeout", "60s", "--bootstrap", broker)).isZero();
            assertThat(out.toString()).contains("nothing was cancelled");
            assertThat(run("handles", "--bootstrap", broker)).isZero();
            assertThat(out.toString()).isEqualToIgnoringNewLines("no handle is open");
            assertThat(run("handles", "h-2", "--bootstrap", broker)).isZero();
            assertThat(out.toString()).contains("ended: E_TOOL_CANCELLED");
        }
    }

    private static ToolCall call(String id, String handle) {
        return ToolCall.of(id, "later__start", Json.MAPPER.createObjectNode().put("handle", handle), "i")
                .inStep("coder", "t", "s", 1);
    }

    private static <T> T get(CompletionStage<T> stage) throws Exception {
        return stage.toCompletableFuture().get(60, TimeUnit.SECONDS);
    }

    private int run(String... arguments) {
        return commands.run(arguments);
    }
}
