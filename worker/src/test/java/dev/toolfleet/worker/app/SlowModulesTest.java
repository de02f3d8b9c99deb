package dev.toolfleet.worker.app;

import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;

import dev.toolfleet.json.Json;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.wire.ToolResult;
import dev.toolfleet.worker.SlowTools;
import dev.toolfleet.worker.TestResources;
import dev.toolfleet.worker.catalog.CatalogMode;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.node.ObjectNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/// Calls while modules take their time to load.
class SlowModulesTest {
    private static final Duration SOON = Duration.ofSeconds(60);

    private final TestResources topic = new TestResources();

    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path folder;

    @SuppressWarnings("NullAway.Init")
    private LocalFleet fleet;

    @BeforeEach
    void start() {
        fleet = new LocalFleet(config(), topic.plan("acme", local(), TestResources.agent("coder", "Tool/local")));
    }

    @AfterEach
    void stop() {
        SlowTools.letGo();
        fleet.close();
    }

    // Bundles were loaded one after the other, by the thread that follows them.
    @Test
    void aBundleThatHangsAsItLoadsStopsNoCallsOfAnother() throws Exception {
        SlowTools.hang();
        apply("slow", TestResources.tool("slow", SlowTools.class, "run"));
        apply("acme", local(), TestResources.tool("more", LocalTools.class, "echo"),
                TestResources.agent("coder", "Tool/local", "Tool/more"));

        assertThat(call("local__echo")).isEqualTo("{}");
        assertThat(call("more__echo")).as("of the new revision").isEqualTo("{}");
    }

    @Test
    void aCallHasTheLayersOfTheRevisionThatItWaitsFor() throws Exception {
        SlowTools.hang();
        ObjectNode agent = TestResources.agent("coder", "Tool/local", "Tool/more");
        agent.withObject("spec").putArray("extensions").add("Extension/slow");
        apply("acme", local(), TestResources.tool("more", LocalTools.class, "echo"),
                TestResources.extension("slow", SlowTools.Answering.class), agent);
        assertThat(call("local__echo")).as("of the revision in use").isEqualTo("{}");
        FutureTask<String> called = new FutureTask<>(() -> call("more__echo"));
        Thread.ofVirtual().start(called);

        SlowTools.letGo();
        assertThat(called.get(1, TimeUnit.MINUTES)).contains("answered by the layer");
    }

    @Test
    void aStartThatWaitsForModulesIsInterrupted() {
        SlowTools.hang();
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> new LocalFleet(config(),
                new TestResources().plan("slow", TestResources.tool("slow", SlowTools.class, "run"))))
                .isInstanceOf(IllegalStateException.class).hasMessageContaining("interrupted");
        assertThat(Thread.interrupted()).isTrue();
    }

    private void apply(String bundle, ObjectNode... resources) {
        topic.plan(bundle, resources).forEach(fleet::apply);
    }

    private String call(String tool) throws Exception {
        ToolResult result = fleet.call(ToolCall.of("c1", tool, Json.MAPPER.createObjectNode(), "i").inStep("coder",
                "t1", "s1", 1), SOON);
        return result.output() == null ? String.valueOf(result.error()) : String.valueOf(result.output());
    }

    private static ObjectNode local() {
        return TestResources.tool("local", LocalTools.class, "echo");
    }

    private WorkerConfig config() {
        return LocalConfig.of(CatalogMode.AGENT, folder, 100, Duration.ofMinutes(5));
    }
}
