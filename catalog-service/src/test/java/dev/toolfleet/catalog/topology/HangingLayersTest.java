package dev.toolfleet.catalog.topology;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.CountDownLatch;

import dev.toolfleet.bundle.EntryKind;
import dev.toolfleet.bundle.ToolSpec;
import dev.toolfleet.catalog.middleware.StepExtensions;
import dev.toolfleet.catalog.telemetry.StepFaults;
import dev.toolfleet.json.Json;
import dev.toolfleet.loading.ModuleLoader;
import dev.toolfleet.middleware.ExtensionModule;
import dev.toolfleet.tool.ToolModule;
import dev.toolfleet.wire.ResultStatus;
import dev.toolfleet.wire.StepCatalog;
import dev.toolfleet.wire.StepEvent;
import dev.toolfleet.wire.StepStarted;
import dev.toolfleet.wire.ToolResult;
import dev.toolfleet.wire.WireCodec;
import org.apache.kafka.streams.TestInputTopic;
import org.apache.kafka.streams.TestOutputTopic;
import org.apache.kafka.streams.state.KeyValueStore;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.node.StringNode;

import static dev.toolfleet.catalog.Bundles.agent;
import static dev.toolfleet.catalog.Bundles.extension;
import static dev.toolfleet.catalog.Bundles.tool;
import static dev.toolfleet.catalog.Bundles.using;
import static org.assertj.core.api.Assertions.assertThat;

/// Hanging extensions delay no other agent's steps, and their late changes are not stored.
class HangingLayersTest {
    private static final WireCodec<StepEvent> EVENTS = WireCodec.of(StepEvent.class);
    private static final WireCodec<StepCatalog> CATALOGS = WireCodec.of(StepCatalog.class);
    private static final WireCodec<ToolResult> RESULTS = WireCodec.of(ToolResult.class);

    private final StepFaults faults = new StepFaults(InstantSource.system());
    private final CountDownLatch hangs = new CountDownLatch(1);
    private final StepExtensions extensions = new StepExtensions(new Code());
    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path stateDir;
    @SuppressWarnings("NullAway.Init")
    private DrivenTopology topology;
    @SuppressWarnings("NullAway.Init")
    private TestInputTopic<String, byte[]> steps;
    @SuppressWarnings("NullAway.Init")
    private TestOutputTopic<String, byte[]> catalogs;

    private final class Code implements ModuleLoader {
        @Override
        public ToolModule tool(String bundle, ToolSpec spec, Map<String, String> files) {
            throw new UnsupportedOperationException();
        }

        @Override
        public ExtensionModule extension(String bundle, EntryKind entry, Map<String, String> files) {
            if (entry instanceof EntryKind.JavaClass(String name) && name.equals("layer"))
                return (registrar, config) -> registrar.step(1, (ctx, next) -> awaitWhateverComes());
            return (registrar, config) -> registrar.remember("t__a", (before, result) -> {
                if (!result.toolCallId().equals("quick"))
                    awaitWhateverComes();
                return StringNode.valueOf(result.toolCallId());
            });
        }
    }

    @BeforeEach
    void start() {
        topology = DrivenTopology.start(stateDir, "", extensions, faults);
        steps = topology.input("agent.step");
        catalogs = topology.output("tool.catalog.step");
        topology.bundles().apply("acme", tool("t", "a"),
                extension("layer", "java:layer"), extension("memory", "java:memory"),
                using(agent("hung", "Tool/t"), "layer", config -> {}),
                using(agent("remembering", "Tool/t"), "memory", config -> {}), agent("well", "Tool/t"));
    }

    @AfterEach
    void stop() {
        hangs.countDown();
        topology.close();
        extensions.close();
    }

    @Test
    void aLayerThatHangsIsNamedAndNoOtherAgentWaitsForIt() {
        String nothing = digest("nobody");

        assertThat(digest("hung")).as("closed, as if it threw").isEqualTo(nothing);
        assertThat(faults.counts()).containsEntry("acme/layer", 1L);
        assertThat(digest("well")).isNotEqualTo(nothing);
        assertThat(extensions.threads().leftBehind()).isEqualTo(1);
    }

    @Test
    void aMemoryThatHangsKeepsWhatWasRememberedAndStoresNothingLater() {
        digest("remembering");
        result("quick");
        byte[] before = memories().get("i/remembering");
        result("slow");
        assertThat(faults.counts()).containsEntry("acme/memory", 1L);

        hangs.countDown();
        Awaitility.await().atMost(Duration.ofMinutes(1)).until(() -> extensions.threads().leftBehind() == 0);

        assertThat(memories().get("i/remembering")).isEqualTo(before).isNotNull();
        result("next");
        assertThat(new String(memories().get("i/remembering"), StandardCharsets.UTF_8))
                .contains("\"next\"");
    }

    private void awaitWhateverComes() {
        while (true) {
            try {
                hangs.await();
                return;
            } catch (InterruptedException e) {
                // Ignored on purpose: this code does not react to its interrupt.
            }
        }
    }

    private String digest(String agent) {
        steps.pipeInput("i", EVENTS.write(new StepStarted("i", agent, "t", "s", null, null, null, null)));
        return CATALOGS.read(catalogs.readRecord().value()).digest();
    }

    private void result(String id) {
        topology.input("tool.result").pipeInput("i", RESULTS.write(new ToolResult(id, "t__a", ResultStatus.OK,
                Json.MAPPER.createObjectNode(), null, null, "i", "remembering", "t", null, 1, false, null, 0, null,
                null)));
    }

    private KeyValueStore<String, byte[]> memories() {
        return topology.driver().getKeyValueStore(MemoryStore.NAME);
    }
}
