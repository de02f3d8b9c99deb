package dev.toolfleet.worker.record;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import dev.toolfleet.error.ErrorCode;
import dev.toolfleet.json.Json;
import dev.toolfleet.middleware.ToolReply;
import dev.toolfleet.tool.ToolModule;
import dev.toolfleet.wire.GuardFacts;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.wire.ToolError;
import dev.toolfleet.wire.ToolRef;
import dev.toolfleet.worker.TestResources;
import dev.toolfleet.worker.assignment.Position;
import dev.toolfleet.worker.call.CallFacts;
import dev.toolfleet.worker.call.Identified;
import dev.toolfleet.worker.guard.ResultGuard;
import dev.toolfleet.worker.guard.ResultGuard.Guarded;
import dev.toolfleet.worker.identity.Arrival;
import dev.toolfleet.worker.identity.DedupeConfig;
import dev.toolfleet.worker.identity.IdentifiedCall;
import dev.toolfleet.worker.identity.PartitionState;
import dev.toolfleet.worker.registry.RegisteredTool;
import dev.toolfleet.worker.registry.ToolRegistry;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.StringNode;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

class OutputCheckTest {
    private static final ToolModule MODULE = () -> Map.of("run", (ctx, input) -> null);
    private static final String WHOLE = """
            {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}""";
    private static final ToolRegistry CHECKED = TestResources.checked(MODULE, WHOLE);

    private ResultGuard guard = ResultGuard.NONE;

    @Test
    void anOutputThatFitsIsPublished() {
        ToolReply.Ok fits = ok("{'n': 1}");

        assertThat(published(CHECKED, run("t__run", "coder"), fits)).isEqualTo(fits);
    }

    // Of an agent that lists it, of one that does not, and of none: a layer may answer before a catalog has judged.
    @Test
    void anOutputThatDoesNotFitIsAnErrorWithToolAndPlaceWhoeverCalls() {
        for (String agent : new String[]{"coder", "stranger", null}) {
            ToolError error = failure(CHECKED, run("t__run", agent), ok("{'n': 'one'}"));

            assertThat(error.code()).isEqualTo("E_TOOL_RESULT_INVALID");
            assertThat(error.message()).startsWith("The output of tool 't__run' breaks its outputSchema: output.n: ");
            assertThat(error.suggestion()).contains("check before you repeat it");
        }
    }

    @Test
    void anExportThatDoesNotDeclareItIsNotChecked() {
        ToolReply.Ok text = new ToolReply.Ok(StringNode.valueOf("anything"));

        assertThat(published(TestResources.registry(MODULE, true), run("t__run", "coder"), text)).isEqualTo(text);
        assertThat(published(CHECKED, run("u__other", "coder"), text)).as("a tool that is not declared")
                .isEqualTo(text);
    }

    @Test
    void onlyFinalOutputsAreChecked() {
        ToolReply.Pending pending = new ToolReply.Pending("h", StringNode.valueOf("begun"), null, null);

        assertThat(published(CHECKED, run("t__run", "coder"), pending)).isEqualTo(pending);
        assertThat(stage(CHECKED).message(run("t__run", "coder"), "half of it")).isEqualTo("half of it");
    }

    @Test
    @DisplayName("X-02: denials, timeouts and open circuits are not checked as outputs")
    void failuresAreNotChecked() {
        for (ErrorCode code : List.of(ErrorCode.E_TOOL_DENIED, ErrorCode.E_TOOL_TIMEOUT,
                ErrorCode.E_TOOL_CIRCUIT_OPEN)) {
            ToolReply.Failed failed = new ToolReply.Failed(ToolError.of(code, "No."));

            assertThat(published(CHECKED, run("t__run", "coder"), failed)).isEqualTo(failed);
        }
    }

    @Test
    void theDeclarationOfTheCodeThatRanCounts() {
        RegisteredTool ran = requireNonNull(TestResources.checked(MODULE, "{\"type\": \"string\"}")
                .acquire(new ToolRef("acme", "t", "run")));
        Identified run = run("t__run", "coder");
        CallFacts recalled = run
                .recalledBy(new PartitionState(new DedupeConfig(Duration.ofMinutes(1), 10), System::nanoTime))
                .of(ran, new ToolRef("acme", "t", "run"));

        ToolReply.Ok text = new ToolReply.Ok(StringNode.valueOf("of the revision that ran"));
        assertThat(published(CHECKED, recalled, text)).isEqualTo(text);
        assertThat(failure(CHECKED, run, text).code()).as("the present one").isEqualTo("E_TOOL_RESULT_INVALID");
    }

    @Test
    void whatTheGuardCutIsTooLarge() {
        guard = (call, reply) -> reply instanceof ToolReply.Ok
                ? new Guarded(ok("{'[truncated]': true}"), new GuardFacts(true, false, 200_000, 20))
                : new Guarded(reply, null);

        ToolError error = failure(CHECKED, run("t__run", "coder"), ok("{'n': 1}"));

        assertThat(error.code()).isEqualTo("E_TOOL_RESULT_TOO_LARGE");
        assertThat(error.message()).contains("200000 characters", "ResultGuard", "output: ");
    }

    // An error could quote the names of fields, which come from the tool.
    @Test
    @DisplayName("X-01: a published output fits its schema, although the guard redacts")
    void theOutputIsJudgedBehindTheGuardAndTheErrorPassesItToo() {
        List<ToolReply> seen = new ArrayList<>();
        guard = (call, reply) -> {
            seen.add(reply);
            return new Guarded(reply instanceof ToolReply.Ok ? ok("{'n': '[REDACTED]'}") : reply,
                    new GuardFacts(false, true, 9, 9));
        };

        ToolError error = failure(CHECKED, run("t__run", "coder"), ok("{'n': 1}"));

        assertThat(error.message()).contains("output.n:").contains("guard had replaced text");
        assertThat(seen).hasSize(2).last().isEqualTo(new ToolReply.Failed(error));
    }

    private GuardStage stage(ToolRegistry registry) {
        return new GuardStage(guard, OutputCheck.of(registry));
    }

    private ToolReply published(ToolRegistry registry, CallFacts run, ToolReply reply) {
        return stage(registry).of(run, reply).reply();
    }

    private ToolError failure(ToolRegistry registry, CallFacts run, ToolReply reply) {
        ToolReply published = published(registry, run, reply);
        assertThat(published).isInstanceOf(ToolReply.Failed.class);
        return ((ToolReply.Failed) published).error();
    }

    private static ToolReply.Ok ok(String json) {
        JsonNode output = Json.MAPPER.readTree(json.replace('\'', '"'));
        return new ToolReply.Ok(output);
    }

    private static Identified run(String tool, @Nullable String agent) {
        ToolCall call = ToolCall.of("c1", tool, Json.MAPPER.createObjectNode(), "i");
        ToolCall by = agent == null ? call : call.inStep(agent, "t1", "s1", 1);
        return Identified.of(IdentifiedCall.of(new Arrival.Call(new Position(3, 7, 42), by, 0, null, 100)), 0);
    }
}
