package dev.toolfleet.worker.fleet;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

import dev.toolfleet.embedded.junit.EmbeddedKafkaTest;
import dev.toolfleet.embedded.junit.KafkaFixture;
import dev.toolfleet.json.Json;
import dev.toolfleet.resources.RegistrationOwner;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.wire.RecentStep;
import dev.toolfleet.wire.ResultStatus;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.wire.ToolCatalogItem;
import dev.toolfleet.wire.ToolErrorEvent;
import dev.toolfleet.wire.ToolRef;
import dev.toolfleet.wire.ToolResult;
import dev.toolfleet.wire.WireCodec;
import dev.toolfleet.worker.TestResources;
import dev.toolfleet.worker.app.Worker;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import tools.jackson.databind.node.ObjectNode;

import static dev.toolfleet.worker.fleet.HandMade.call;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/// The catalog of a call's own step decides, and a refusal names its reason. One fleet for all: each test has instances
/// of its own.
@EmbeddedKafkaTest
@Timeout(300)
@ResourceLock("TestWeather")
class AllowListIT {
    private static final WireCodec<ToolErrorEvent> ERRORS = WireCodec.of(ToolErrorEvent.class);
    private static final ObjectNode TOOL = TestResources.tool("t", TestTools.class, "echo", "read", "held");

    @TempDir
    @SuppressWarnings("NullAway.Init")
    static Path folder;
    private static @Nullable TestFleet fleet;
    private static @Nullable HandMade made;
    private static @Nullable Worker worker;

    @BeforeAll
    static void start(KafkaFixture kafka) throws InterruptedException {
        fleet = new TestFleet(kafka, folder, 2);
        made = new HandMade(fleet).apply(TOOL, TestResources.agent("pilot", "Tool/t"));
        worker = fleet.worker("w1");
    }

    @AfterAll
    static void stop() {
        SlowTool.GATE.countDown();
        if (fleet != null)
            fleet.close();
    }

    @Test
    @DisplayName("X-10: a tool that the catalog does not hold has a code of its own")
    void aToolThatAMiddlewareOrPolicyHidIsRefused() {
        String without = made()
                .content(made().items().stream().filter(item -> !item.name().equals("t__read")).toList());
        made().step("layered", "s1", 1, without);
        made().step("judged", "s1", 1, without, "sha256:policy");

        assertRefused(call("c1", "t__read", "layered", "s1", 1), "hidden in this step, for example by a middleware.");
        assertRefused(call("c1", "t__read", "judged", "s1", 1), "for example by a policy or a middleware.");
        assertOk(call("c2", "t__echo", "judged", "s1", 1));
    }

    @Test
    void aToolWhoseRegistrationLapsedIsRefused() {
        RegistrationOwner gone = RegistrationOwner.extension("acme", "pilot", "gone");
        Instant before = Instant.now().minusSeconds(3600);
        made().register(gone, before, before.plusSeconds(30), "sky__look");
        made().step("lapsed", "s1", 1, made().content(List.of(new ToolCatalogItem("sky__look", null,
                Json.MAPPER.createObjectNode(), gone.source(), new ToolRef(gone.namespace(), "sky", "look"), null))));

        assertRefused(call("c1", "sky__look", "lapsed", "s1", 1), "has lapsed");
    }

    @Test
    void aStepThatIsTooOldIsRefused() {
        String all = made().content(made().items());
        RecentStep[] recent = IntStream.iterate(8, index -> index > 1, index -> index - 1)
                .mapToObj(index -> HandMade.earlier("s" + index, all)).toArray(RecentStep[]::new);
        made().step("aged", "s9", 9, all, recent);

        assertRefused(call("c1", "t__echo", "aged", "s1", 1), "too old: the agent is at step 's9'");
        assertOk(call("c2", "t__echo", "aged", "s2", 2));
    }

    @Test
    void aCallThatIsReadBeforeItsStepIsNotRefused() throws InterruptedException {
        ObjectNode slow = TestResources.tool("slow", SlowTool.class, "run");
        made().apply(TOOL, slow, TestResources.agent("pilot", "Tool/t"));
        SlowTool.BEGUN.await();
        made().step("early", "s1", 1, made().content(made().items()));
        ToolCall call = call("c1", "t__echo", "early", "s1", 1, Map.of("n", 1));
        fleet().send(call);
        await().atMost(Duration.ofMinutes(1)).until(() -> requireNonNull(worker).inFlight() > 0);

        SlowTool.GATE.countDown();
        assertThat(fleet().result(call, result -> true).status()).isEqualTo(ResultStatus.OK);
    }

    @Test
    void aCallThatWaitsInItsLaneWhileTheNextStepBeginsStillRuns() {
        String all = made().content(made().items());
        made().step("busy", "s1", 1, all);
        ToolCall held = call("hold", "t__held", "busy", "s1", 1, Map.of("tag", "busy"));
        ToolCall queued = call("c2", "t__held", "busy", "s1", 1, Map.of("tag", "busy"));
        fleet().send(held);
        fleet().send(queued);
        await().atMost(Duration.ofMinutes(1)).until(() -> !TestTools.probe("busy").started.isEmpty());

        made().step("busy", "s2", 2, made().content(List.of()), HandMade.earlier("s1", all));
        String neighbour = IntStream.range(0, 100).mapToObj(n -> "neighbour" + n)
                .filter(name -> fleet().partition(name) == fleet().partition("busy")).findFirst().orElseThrow();
        made().step(neighbour, "s1", 1, all);
        assertOk(call("c1", "t__echo", neighbour, "s1", 1));

        TestTools.probe("busy").gate.countDown();
        assertThat(fleet().result(held, result -> true).status()).isEqualTo(ResultStatus.OK);
        assertThat(fleet().result(queued, result -> true).status()).isEqualTo(ResultStatus.OK);
    }

    @Test
    void aCallThatNamesAnotherCatalogIsVisible() {
        String all = made().content(made().items());
        made().step("stale", "s1", 1, all);
        for (String tool : List.of("t__echo", "t__nothing")) {
            ObjectNode named = Json.MAPPER.valueToTree(call(tool, tool, "stale", "s1", 1, Map.of("n", 1)));
            fleet().send(Json.MAPPER.treeToValue(named.put("catalogDigest", "sha256:other"), ToolCall.class));
        }

        assertThat(event("t__echo").error().code()).isEqualTo("E_CATALOG_DIGEST_MISMATCH");
        assertThat(event("t__nothing").error().code()).isEqualTo("E_TOOL_NOT_IN_CATALOG");
        for (String tool : List.of("t__echo", "t__nothing")) {
            assertThat(event(tool).catalogDigest()).isEqualTo(all);
            assertThat(event(tool).namedCatalogDigest()).isEqualTo("sha256:other");
        }
    }

    private static ToolErrorEvent event(String tool) {
        return fleet().first(Topic.ERROR, record -> Optional.of(ERRORS.read(record.value()))
                .filter(event -> event.instanceKey().equals("stale") && event.toolName().equals(tool)));
    }

    private static void assertRefused(ToolCall call, String because) {
        fleet().send(call);
        ToolResult result = fleet().result(call, any -> true);
        assertThat(requireNonNull(result.error()).code()).isEqualTo("E_TOOL_NOT_IN_CATALOG");
        assertThat(result.error().suggestion()).contains(because);
    }

    private static void assertOk(ToolCall call) {
        fleet().send(call);
        assertThat(fleet().result(call, any -> true).status()).isEqualTo(ResultStatus.OK);
    }

    private static TestFleet fleet() {
        return requireNonNull(fleet);
    }

    private static HandMade made() {
        return requireNonNull(made);
    }
}
