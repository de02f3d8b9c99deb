package dev.toolfleet.cli.explain;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;

import dev.toolfleet.cli.TypedCommands;
import dev.toolfleet.cli.fleet.FleetPlan;
import dev.toolfleet.cli.fleet.OneJvmFleet;
import dev.toolfleet.cli.fleet.ProgressNote;
import dev.toolfleet.cli.terminal.Terminal;
import dev.toolfleet.client.CallHandle;
import dev.toolfleet.client.ToolFleetClient;
import dev.toolfleet.json.Json;
import dev.toolfleet.publishing.apply.BundleCheck;
import dev.toolfleet.publishing.apply.LocalBundle;
import dev.toolfleet.wire.ResultStatus;
import dev.toolfleet.wire.StepStarted;
import dev.toolfleet.wire.ToolCall;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/// Calls that hang in a running fleet, for the reasons that people ask about, each explained by one command.
class ExplainIT {
    @TempDir
    @SuppressWarnings("NullAway.Init")
    static Path folder;
    private static @Nullable OneJvmFleet shared;
    private static @Nullable ToolFleetClient callers;

    @BeforeAll
    static void start() throws Exception {
        Path bundle = Files.createDirectories(folder.resolve("bundle"));
        Files.writeString(bundle.resolve("toolfleet.yaml"), HangingTools.BUNDLE);
        Files.writeString(bundle.resolve("script.mjs"), HangingTools.SCRIPT);
        FleetPlan plan = FleetPlan.temporary(folder.resolve("work"),
                LocalBundle.calledLikeItsFolder(BundleCheck.check(bundle)),
                Map.of("worker.catalog.wait", "2m", "worker.http.port", "0"));
        try (ProgressNote progress = new ProgressNote(Terminal.system(Map.of()))) {
            OneJvmFleet fleet = OneJvmFleet.start(plan, progress);
            shared = fleet;
            callers = ToolFleetClient.open(fleet.clientConfig("test"));
        }
    }

    @AfterAll
    static void stop() {
        if (callers != null)
            callers.close();
        if (shared != null)
            shared.close();
    }

    @Test
    void aLaneBehindASlowCall() throws Exception {
        begin("slow", "coder");
        client().call(call("first", "h__slow", "slow", "coder"));
        assertThat(HangingTools.started("slow").await(60, TimeUnit.SECONDS)).isTrue();
        CallHandle waiting = client().call(call("second", "h__quick", "slow", "coder"));
        get(waiting.sent());

        await().atMost(Duration.ofSeconds(60)).untilAsserted(() -> {
            assertThat(explain("second", "--instance", "slow").out().toString()).contains(
                    "Call second (h__quick, instance slow) waits behind call first (h__slow, record ")
                    .contains("runs h__slow").contains("on worker worker-1", "lane skip slow",
                            "cancel --instance slow --call first --step s");
            assertThat(explain("first", "--instance", "slow").out().toString()).contains("on worker worker-1 since",
                    "its start was noted by worker worker-1");
        });
        HangingTools.gate("slow").countDown();
        assertThat(get(waiting.result()).status()).isEqualTo(ResultStatus.OK);
        assertThat(explain("second", "--instance", "slow").out().toString()).contains("has ended ok");
    }

    @Test
    void aHandlerInAHost() throws Exception {
        begin("script", "coder");
        CallHandle waiting = client().call(call("hosted", "script__slow", "script", "coder"));
        await().atMost(Duration.ofSeconds(60))
                .untilAsserted(() -> assertThat(explain("hosted", "--worker-url", url()).out().toString())
                        .containsPattern("runs script__slow in bundle \\(node\\), process [0-9]+ since"));
        assertThat(command().run("cancel", "--instance", "script", "--call", "hosted", "--step", "s")).isZero();
        assertThat(requireNonNull(get(waiting.result()).error()).code()).isEqualTo("E_TOOL_CANCELLED");
    }

    @Test
    void aCallThatAPersonHasToApprove() throws Exception {
        begin("asks", "coder");
        CallHandle waiting = client().call(call("risky", "h__asks", "asks", "coder"));
        String handle = requireNonNull(get(waiting.firstResult()).handle());

        assertThat(explain("risky").out().toString()).contains("waits for a person's decision since",
                "approve " + handle, "reject " + handle, "tool.audit", "a person was asked by rule ");
        assertThat(explain(handle).out().toString()).contains("waits for a person's decision since");
        assertThat(command().run("approve", handle, "--by", "ada", "--timeout", "60s")).isZero();
        assertThat(get(waiting.result()).status()).isEqualTo(ResultStatus.OK);
        assertThat(explain("risky").out().toString()).contains("has ended ok", "approve by ada",
                "goes on as an approved call");
    }

    @Test
    void aCatalogThatNeverCame() throws Exception {
        CallHandle lost = client().call(call("lost", "h__quick", "lost", "coder"));
        get(lost.sent());
        CallHandle owed = client().call(call("owed", "h__quick", "owed", "coder"));
        get(owed.sent());

        assertThat(explain("lost").out().toString()).contains("waits for the catalog of its step 's'",
                "the step was never announced on agent.step", "StepStarted");
        begin("lost", "coder");
        assertThat(get(lost.result()).status()).isEqualTo(ResultStatus.OK);
        await().atMost(Duration.ofSeconds(60)).untilAsserted(
                () -> assertThat(explain("owed", "--worker-url", url()).out().toString())
                        .contains("waits for its step's catalog (h__quick) since", "on worker worker-1"));
        TypedCommands told = command();
        assertThat(told.run("lane", "fail", "owed", "--reason", "no service", "--timeout", "2m"))
                .as(told.err().toString()).isZero();
        assertThat(requireNonNull(get(owed.result()).error()).code()).isEqualTo("E_TOOL_CANCELLED");
    }

    @Test
    void aHandlerThatIgnoresItsInterruptIsSkippedAndFailed() throws Exception {
        begin("stubborn", "coder");
        CallHandle stuck = client().call(call("stuck", "h__stubborn", "stubborn", "coder"));
        assertThat(HangingTools.started("stubborn").await(60, TimeUnit.SECONDS)).isTrue();
        CallHandle behind = client().call(call("behind", "h__quick", "stubborn", "coder"));
        get(behind.sent());
        await().atMost(Duration.ofSeconds(60))
                .untilAsserted(() -> assertThat(explain("behind", "--worker-url", url()).out().toString())
                        .contains("waits behind", "which runs h__stubborn since", "on worker worker-1"));

        assertThat(command().run("lane", "skip", "stubborn", "--by", "ada")).isZero();

        assertThat(get(behind.result()).status()).isEqualTo(ResultStatus.OK);
        await().atMost(Duration.ofSeconds(60))
                .untilAsserted(() -> assertThat(explain("stuck", "--worker-url", url()).out().toString())
                        .contains("its lane has gone on past it", "lane skip by ada"));
        TypedCommands told = command();
        assertThat(told.run("lane", "fail", "stubborn", "--call", "stuck", "--reason", "stuck", "--timeout", "2m"))
                .as(told.err().toString()).isZero();
        assertThat(told.out().toString()).contains("call stuck (h__stubborn", "E_TOOL_OUTCOME_UNKNOWN");
        assertThat(requireNonNull(get(stuck.result()).error()).message()).contains("(stuck)");
        HangingTools.gate("stubborn").countDown();
    }

    private static String url() {
        return requireNonNull(shared).workerUrl().orElseThrow();
    }

    private static TypedCommands command() {
        return TypedCommands.of(200, "--bootstrap", requireNonNull(shared).bootstrapServers());
    }

    private static TypedCommands explain(String... arguments) {
        TypedCommands told = command();
        String[] all = new String[arguments.length + 1];
        all[0] = "explain";
        System.arraycopy(arguments, 0, all, 1, arguments.length);
        assertThat(told.run(all)).as(told.err().toString()).isZero();
        return told;
    }

    private static void begin(String instance, String agent) throws Exception {
        get(client().beginStep(step(instance, agent)));
    }

    private static StepStarted step(String instance, String agent) {
        return new StepStarted(instance, agent, "t", "s", 1, null, null, null);
    }

    private static ToolCall call(String id, String tool, String instance, String agent) {
        return ToolCall.of(id, tool, Json.MAPPER.createObjectNode().put("tag", instance), instance).inStep(agent, "t",
                "s", 1);
    }

    private static ToolFleetClient client() {
        return requireNonNull(callers);
    }

    private static <T> T get(CompletionStage<T> stage) throws Exception {
        return stage.toCompletableFuture().get(60, TimeUnit.SECONDS);
    }
}
