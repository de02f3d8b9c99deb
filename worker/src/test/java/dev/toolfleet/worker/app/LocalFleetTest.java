package dev.toolfleet.worker.app;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;

import dev.toolfleet.json.Json;
import dev.toolfleet.resources.RevisionPlan;
import dev.toolfleet.wire.ResultStatus;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.wire.ToolError;
import dev.toolfleet.wire.ToolResult;
import dev.toolfleet.worker.TestResources;
import dev.toolfleet.worker.catalog.CatalogMode;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.node.ObjectNode;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/// A call's whole way through the stages, without a broker.
class LocalFleetTest {
    private static final Duration SOON = Duration.ofSeconds(60);

    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path folder;

    @SuppressWarnings("NullAway.Init")
    private LocalFleet fleet;

    @BeforeEach
    void start() {
        fleet = fleet(CatalogMode.AGENT);
    }

    @AfterEach
    void stop() {
        fleet.close();
    }

    @Test
    void aCallIsAnsweredByItsHandler() throws Exception {
        ToolResult result = call("local__echo", "{\"text\":\"hello\"}");

        assertThat(result.status()).isEqualTo(ResultStatus.OK);
        assertThat(String.valueOf(result.output())).isEqualTo("{\"text\":\"hello\"}");
        assertThat(result.toolCallId()).isEqualTo("c1");
        assertThat(result.fingerprint()).startsWith("sha256:");
        assertThat(fleet.problems()).isEmpty();
    }

    @Test
    void aFailureKeepsWhatItsToolSays() throws Exception {
        ToolError error = error("local__fail", "{}");

        assertThat(error.code()).isEqualTo("E_OWN");
        assertThat(error.suggestion()).isEqualTo("Ask otherwise.");
    }

    @Test
    void whateverHandlersAndLayersThrowTheCallHasItsResult() throws Exception {
        assertThat(error("local__evil", "{}").code()).isEqualTo("E_TOOL");
        assertThat(error("local__echo", "{\"break\":1}").code()).isIn("E_TOOL_MIDDLEWARE", "E_TOOL");
        assertThat(call("local__echo", "{}").status()).as("the lane goes on").isEqualTo(ResultStatus.OK);
    }

    @Test
    void layersChangeArgumentsAndAnswer() throws Exception {
        assertThat(String.valueOf(call("local__echo", "{\"mark\":true}").output())).contains("\"marked\":\"acme\"");
        assertThat(String.valueOf(call("local__fail", "{\"answer\":1}").output())).contains("answered by the layer");
    }

    @Test
    void wrongArgumentsNeverReachTheHandler() throws Exception {
        ToolError error = error("local__echo", "{\"text\":5}");

        assertThat(error.code()).isEqualTo("E_TOOL_INVALID_ARGS");
        assertThat(error.message()).contains("args.text");
        assertThat(error("local__echo", "[1]").message()).contains("an object expected");
    }

    // The limit held only for calls whose handler had been looked up.
    @Test
    void anErrorBeforeTheHandlerIsLookedUpIsLimitedToo() throws Exception {
        ToolError error = error("brief__echo", "{}");

        assertThat(error.code()).isEqualTo("E_TOOL_INVALID_ARGS");
        assertThat(error.message()).hasSizeLessThanOrEqualTo(40);
    }

    @Test
    void aToolOutsideTheCatalogIsRefused() throws Exception {
        assertThat(error("hidden__echo", "{}").code()).isEqualTo("E_TOOL_NOT_IN_CATALOG");
        assertThat(error("no__such", "{}").code()).isEqualTo("E_TOOL_NOT_IN_CATALOG");

        try (LocalFleet open = fleet(CatalogMode.REGISTRY)) {
            assertThat(open.call(named("hidden__echo", "{}"), SOON).status()).isEqualTo(ResultStatus.OK);
            assertThat(requireNonNull(open.call(named("no__such", "{}"), SOON).error()).code())
                    .isEqualTo("E_TOOL_NOT_IN_CATALOG");
        }
    }

    @Test
    void aToolWhoseCodeIsMissingSaysWhy() throws Exception {
        try (LocalFleet open = fleet(CatalogMode.REGISTRY)) {
            ToolError error = requireNonNull(open.call(named("broken__echo", "{}"), SOON).error());
            assertThat(error.code()).isEqualTo("E_TOOL_NOT_FOUND");
            assertThat(error.message()).contains("com.acme.Missing");
            assertThat(open.problems()).containsKey("acme/broken");
        }
    }

    @Test
    void aHandlerIsStoppedAtTheCallersDeadline() throws Exception {
        ToolError error;
        long millis = 100;
        do {
            // A slow machine may need longer to start it.
            error = requireNonNull(
                    fleet.call(named("local__never", "{}").until(Instant.now().plusMillis(millis)), SOON).error());
            millis *= 2;
        } while (error.message().contains("not started"));

        assertThat(error.code()).isEqualTo("E_TOOL_TIMEOUT");
        assertThat(error.message()).contains("set by the caller");
        ToolError late = requireNonNull(
                fleet.call(named("local__never", "{}").until(Instant.now().minusSeconds(1)), SOON).error());
        assertThat(late.message()).contains("not started");
    }

    @Test
    void asManyHandlersThatComputeAsProcessorsLeaveOtherCallsRunningBeforeTheirDeadline() throws Exception {
        LocalTools.SPIN.set(true);
        List<FutureTask<ToolResult>> spinning = new ArrayList<>();
        try {
            for (int n = 0; n < Runtime.getRuntime().availableProcessors(); n++) {
                String instance = "spin" + n;
                FutureTask<ToolResult> spin = new FutureTask<>(() -> fleet
                        .call(named("local__spin", "{}", instance).until(Instant.now().plusSeconds(60)), SOON));
                spinning.add(spin);
                Thread.ofPlatform().start(spin);
            }
            await().atMost(SOON).until(() -> LocalTools.SPINNING.get() == spinning.size());

            assertThat(call("local__echo", "{}").status()).isEqualTo(ResultStatus.OK);
            assertThat(spinning).as("not yet given up").noneMatch(FutureTask::isDone);
        } finally {
            LocalTools.SPIN.set(false);
        }
        for (FutureTask<ToolResult> spin : spinning)
            assertThat(spin.get(60, TimeUnit.SECONDS).status()).isEqualTo(ResultStatus.OK);
    }

    // It held its lane until an operator ended it.
    @Test
    void aCallWhoseLayerHangsEndsAtTheCallersDeadline() throws Exception {
        Instant deadline = Instant.now().plusMillis(300);
        ToolResult before = fleet.call(named("local__echo", "{\"hangBefore\":1}").until(deadline), SOON);
        ToolResult behind = fleet.call(named("local__echo", "{\"hangBehind\":1}").until(Instant.now().plusMillis(300)),
                SOON);

        assertThat(requireNonNull(before.error()).code()).isEqualTo("E_TOOL_TIMEOUT");
        assertThat(before.error().message()).contains("not started", "deadline " + deadline, "middlewares before");
        assertThat(requireNonNull(behind.error()).code()).isEqualTo("E_TOOL_TIMEOUT");
        assertThat(behind.error().message()).contains("come back from its tool");
        assertThat(call("local__echo", "{}").status()).as("the lane goes on").isEqualTo(ResultStatus.OK);
    }

    @Test
    void aHandleIsAPendingResult() throws Exception {
        ToolResult result = call("local__later", "{}");

        assertThat(result.status()).isEqualTo(ResultStatus.PENDING);
        assertThat(result.handle()).startsWith("h_");
        assertThat(String.valueOf(result.output())).contains("started");
    }

    @Test
    void whatHandlersAndLayersLogNamesTheirCall() throws Exception {
        String keys = "{\"callId\":\"c1\",\"instanceKey\":\"i\",\"tool\":\"local__keys\"}";

        assertThat(call("local__keys", "{}").output()).isEqualTo(Json.MAPPER.readTree(keys));
        assertThat(call("local__keys", "{\"keys\":true}").output()).isEqualTo(Json.MAPPER.readTree(keys));
    }

    private ToolResult call(String tool, String args) throws Exception {
        return fleet.call(named(tool, args), SOON);
    }

    private ToolError error(String tool, String args) throws Exception {
        return requireNonNull(call(tool, args).error());
    }

    private static ToolCall named(String tool, String args) {
        return named(tool, args, "i");
    }

    private static ToolCall named(String tool, String args, String instance) {
        return ToolCall.of("c1", tool, Json.MAPPER.readTree(args), instance).inStep("coder", "t1", "s1", 1);
    }

    private LocalFleet fleet(CatalogMode mode) {
        ObjectNode local = TestResources.tool("local", LocalTools.class, "echo", "fail", "evil", "never", "later",
                "spin", "keys");
        TestResources.export(local, "echo").putObject("parameters").putObject("properties").putObject("text")
                .put("type", "string");
        ObjectNode broken = TestResources.tool("broken", LocalTools.class, "echo");
        broken.withObject("spec").put("entry", "java:com.acme.Missing");
        ObjectNode marks = TestResources.extension("marks", LocalTools.Marks.class);
        marks.withObject("spec").putObject("config").put("as", "acme");
        ObjectNode brief = TestResources.tool("brief", LocalTools.class, "echo");
        brief.withObject("spec").put("errorMessageLimit", 40);
        TestResources.export(brief, "echo").putObject("parameters").putArray("required").add("a").add("b");
        ObjectNode agent = TestResources.agent("coder", "Tool/local", "Tool/brief");
        agent.withObject("spec").putArray("extensions").add("Extension/marks");
        ObjectNode hidden = TestResources.tool("hidden", LocalTools.class, "echo");
        List<RevisionPlan.Entry> plan = mode == CatalogMode.REGISTRY
                ? new TestResources().plan("acme", local, brief, hidden, marks, agent, broken)
                : new TestResources().plan("acme", local, brief, hidden, marks, agent);
        return new LocalFleet(config(mode), plan);
    }

    private WorkerConfig config(CatalogMode mode) {
        return LocalConfig.of(mode, folder, 100, Duration.ofMinutes(5));
    }
}
