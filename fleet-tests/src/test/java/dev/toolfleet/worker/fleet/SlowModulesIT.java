package dev.toolfleet.worker.fleet;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

import dev.toolfleet.embedded.junit.EmbeddedKafkaTest;
import dev.toolfleet.embedded.junit.KafkaFixture;
import dev.toolfleet.tool.ToolHandler;
import dev.toolfleet.tool.ToolModule;
import dev.toolfleet.tool.ToolOutput;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.wire.ResourceRecord;
import dev.toolfleet.wire.ResultStatus;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.wire.WireCodec;
import dev.toolfleet.worker.SlowTools;
import dev.toolfleet.worker.TestResources;
import dev.toolfleet.worker.app.Worker;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.node.ObjectNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/// A bundle whose module hangs as it loads, beside another one.
@EmbeddedKafkaTest
class SlowModulesIT {
    private static final WireCodec<ResourceRecord> RESOURCES = WireCodec.of(ResourceRecord.class);

    @TempDir
    private Path folder;

    @AfterEach
    void letGo() {
        SlowTools.letGo();
    }

    // Calls of the other bundle in a new step ended with E_TOOL_NOT_IN_CATALOG, and the worker said that it was ready.
    @Test
    void aModuleThatHangsStopsNoOtherBundleAndIsAProblemByName(KafkaFixture kafka) throws Exception {
        try (TestFleet fleet = new TestFleet(kafka, folder, 1)) {
            HandMade made = new HandMade(fleet).apply(fast("first"), TestResources.agent("pilot", "Tool/fast"));
            Worker worker = fleet.worker("w1");
            SlowTools.hang();
            new TestResources().plan("slow", TestResources.tool("slow", SlowTools.class, "run"))
                    .forEach(entry -> fleet.send(Topic.RESOURCE, 0, entry.key(),
                            entry.value() == null ? null : RESOURCES.write(entry.value())));

            made.apply(fast("second"), TestResources.agent("pilot", "Tool/fast"));
            made.step("i", "s1", 1, made.content(made.items()));
            ToolCall call = HandMade.call("c1", "fast__run", "i", "s1", 1, Map.of());
            fleet.send(call);
            assertThat(fleet.result(call, result -> true).status()).isEqualTo(ResultStatus.OK);
            assertThat(worker.revision("acme")).isEqualTo(2);
            assertThat(worker.revision("slow")).isZero();

            await().atMost(Duration.ofMinutes(2)).untilAsserted(() -> assertThat(worker.notReady()).singleElement()
                    .asString().contains("slow/slow cannot be loaded: did not load within 30 s"));
            SlowTools.letGo();
            assertThat(worker.awaitReady(Duration.ofMinutes(1))).isTrue();
            assertThat(worker.revision("slow")).isEqualTo(1);
        }
    }

    // It took the layers of the revision before, and waited inside them.
    @Test
    void aCallHasTheLayersOfTheRevisionOfItsStep(KafkaFixture kafka) throws Exception {
        try (TestFleet fleet = new TestFleet(kafka, folder, 1)) {
            HandMade made = new HandMade(fleet).apply(fast("first"), TestResources.agent("pilot", "Tool/fast"));
            Worker worker = fleet.worker("w1");
            SlowTools.hang();
            ObjectNode agent = TestResources.agent("pilot", "Tool/fast");
            agent.withObject("spec").putArray("extensions").add("Extension/slow");
            made.apply(fast("first"), TestResources.extension("slow", SlowTools.Answering.class), agent);
            made.step("i", "s1", 1, made.content(made.items()));
            ToolCall call = HandMade.call("c1", "fast__run", "i", "s1", 1, Map.of());
            fleet.send(call);
            await().atMost(Duration.ofMinutes(1)).until(() -> worker.inFlight() == 1);

            SlowTools.letGo();
            assertThat(String.valueOf(fleet.result(call, result -> true).output())).contains("answered by the layer");
        }
    }

    private static ObjectNode fast(String description) {
        ObjectNode tool = TestResources.tool("fast", FastTool.class, "run");
        TestResources.export(tool, "run").put("description", description);
        return tool;
    }

    /// Loads at once.
    public static final class FastTool implements ToolModule {
        @Override
        public Map<String, ToolHandler> handlers() {
            return Map.of("run", (ctx, input) -> ToolOutput.of("fast"));
        }
    }
}
