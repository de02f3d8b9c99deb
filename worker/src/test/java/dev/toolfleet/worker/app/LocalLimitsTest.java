package dev.toolfleet.worker.app;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

import dev.toolfleet.json.Json;
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

/// Limits and retries on a call's whole way, without a broker.
class LocalLimitsTest {
    private static final Duration SOON = Duration.ofSeconds(60);
    private static final int CALLS = 10_000;

    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path folder;

    @SuppressWarnings("NullAway.Init")
    private LocalFleet fleet;

    @BeforeEach
    void start() throws IOException {
        LimitedTools.reset();
        ObjectNode tool = TestResources.tool("t", LimitedTools.class, "quick", "stuck", "deaf", "flaky", "down");
        declare(tool, "quick", "{\"limits\": {\"maxConcurrent\": 5}}");
        declare(tool, "stuck", "{\"limits\": {\"maxConcurrent\": 1}}");
        declare(tool, "deaf", "{\"limits\": {\"maxConcurrent\": 1}, \"timeout\": \"200ms\"}");
        declare(tool, "flaky", "{\"retry\": {\"maxAttempts\": 3, \"backoff\": \"1ms\"},"
                + " \"annotations\": {\"idempotent\": true}}");
        declare(tool, "down", "{\"limits\": {\"circuitBreaker\": {\"window\": 3}}}");
        ObjectNode bash = TestResources.tool("bash", LimitedTools.class, "exec");
        bash.withObject("spec").put("entry", "builtin:bash").putArray("exports").addObject().put("name", "exec")
                .putObject("limits").putObject("maxConcurrent").put("perCore", 1);
        bash.withObject("spec").withArray("exports").addObject().put("name", "script");
        Files.createDirectories(folder.resolve("slots"));
        fleet = new LocalFleet(config(), new TestResources().plan("acme", tool, bash));
    }

    @AfterEach
    void stop() {
        LimitedTools.stuck.countDown();
        fleet.close();
    }

    @Test
    void ofTenThousandQueuedCallsSoManyRunAtATimeAsTheToolSays() throws Exception {
        List<ToolResult> results = all(CALLS, n -> call("t__quick", "{}", "i" + n));

        assertThat(results).hasSize(CALLS).allMatch(result -> result.status() == ResultStatus.OK);
        assertThat(LimitedTools.MOST.get()).isBetween(1, 5);
    }

    @Test
    void shellsOfManyInstancesShareTheSlotsOfTheTool() throws Exception {
        List<ToolResult> results = all(40, n -> call("bash__exec",
                "{\"command\": \"mkdir ../slots/$$ && ls ../slots | wc -l && rmdir ../slots/$$\"}", "i" + n));

        int cores = Runtime.getRuntime().availableProcessors();
        assertThat(results).allSatisfy(result -> {
            assertThat(result.status()).isEqualTo(ResultStatus.OK);
            assertThat(Integer.parseInt(requireNonNull(result.output()).path("stdout").asString().strip()))
                    .isBetween(1, cores);
        });
    }

    @Test
    void aCallThatTimesOutFreesItsSlot() throws Exception {
        ToolError first = error(fleet.call(named("t__stuck", "{}", "a").until(Instant.now().plusMillis(100)), SOON));
        assertThat(first.code()).isEqualTo("E_TOOL_TIMEOUT");
        LimitedTools.stuck.countDown();

        assertThat(call("t__stuck", "{}", "b").status()).isEqualTo(ResultStatus.OK);
    }

    @Test
    void aHandlerThatIgnoresItsInterruptFreesItsSlotWhenItIsGivenUp() throws Exception {
        assertThat(error(call("t__deaf", "{}", "a")).code()).isEqualTo("E_TOOL_TIMEOUT");

        ToolError next = error(call("t__deaf", "{}", "b"));
        assertThat(next.message()).as("it did not wait for the first").doesNotContain("limits.maxConcurrent");
    }

    @Test
    void whoWaitsForASlotEndsUnstartedAtItsDeadline() throws Exception {
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<ToolResult> running = threads.submit(() -> call("t__stuck", "{}", "a"));
            ToolError late = null;
            // Until the other has the slot, this one takes it itself, and times out running.
            while (late == null || !late.message().contains("limits.maxConcurrent"))
                late = error(fleet.call(named("t__stuck", "{}", "b").until(Instant.now().plusMillis(50)), SOON));
            assertThat(late.code()).isEqualTo("E_TOOL_TIMEOUT");
            assertThat(late.suggestion()).contains("did not happen");
            LimitedTools.stuck.countDown();
            assertThat(running.get().status()).isEqualTo(ResultStatus.OK);
        }
    }

    @Test
    void whatFailsIsStartedAgainAndTheResultSaysHowOften() throws Exception {
        LimitedTools.FAILURES_LEFT.set(2);
        ToolResult result = call("t__flaky", "{}", "a");

        assertThat(result.status()).isEqualTo(ResultStatus.OK);
        assertThat(result.attempt()).isEqualTo(3);
        assertThat(requireNonNull(result.output()).asInt()).as("the handler is told").isEqualTo(3);
    }

    @Test
    void theLastFailureIsTheCallers() throws Exception {
        LimitedTools.FAILURES_LEFT.set(5);
        ToolResult result = call("t__flaky", "{}", "a");

        assertThat(error(result).message()).isEqualTo("attempt 3 failed");
        assertThat(result.attempt()).isEqualTo(3);
        assertThat(LimitedTools.FAILURES_LEFT.get()).isEqualTo(2);
    }

    @Test
    void aToolThatKeepsFailingIsNotCalledForAWhile() throws Exception {
        for (int n = 0; n < 3; n++)
            assertThat(error(call("t__down", "{}", "a")).code()).isEqualTo("E_UPSTREAM");

        ToolError open = error(call("t__down", "{}", "a"));
        assertThat(open.code()).isEqualTo("E_TOOL_CIRCUIT_OPEN");
        assertThat(open.suggestion()).contains("try again in");
    }

    private interface Caller {
        ToolResult call(int n) throws Exception;
    }

    private static List<ToolResult> all(int calls, Caller caller) throws Exception {
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<ToolResult>> running = new ArrayList<>();
            for (int n = 0; n < calls; n++) {
                int number = n;
                running.add(threads.submit(() -> caller.call(number)));
            }
            List<ToolResult> results = new ArrayList<>();
            for (Future<ToolResult> result : running)
                results.add(result.get());
            return results;
        }
    }

    private ToolResult call(String tool, String args, String instance) throws Exception {
        return fleet.call(named(tool, args, instance), SOON);
    }

    private static ToolError error(ToolResult result) {
        return requireNonNull(result.error());
    }

    private static ToolCall named(String tool, String args, String instance) {
        return ToolCall.of("c1", tool, Json.MAPPER.readTree(args), instance);
    }

    private static void declare(ObjectNode tool, String export, String json) {
        TestResources.export(tool, export).setAll((ObjectNode) Json.MAPPER.readTree(json));
    }

    private WorkerConfig config() {
        return LocalConfig.of(CatalogMode.REGISTRY, folder, CALLS, Duration.ofSeconds(30));
    }
}
