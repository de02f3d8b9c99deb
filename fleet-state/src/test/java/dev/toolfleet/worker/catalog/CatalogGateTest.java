package dev.toolfleet.worker.catalog;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.FutureTask;

import dev.toolfleet.bundle.EntryKind;
import dev.toolfleet.bundle.ToolSpec;
import dev.toolfleet.json.Json;
import dev.toolfleet.loading.ModuleLoader;
import dev.toolfleet.middleware.ExtensionModule;
import dev.toolfleet.resources.AgentTools;
import dev.toolfleet.resources.FleetResources;
import dev.toolfleet.tool.ToolHandler;
import dev.toolfleet.tool.ToolModule;
import dev.toolfleet.wire.RecentStep;
import dev.toolfleet.wire.StepCatalog;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.wire.ToolCatalogItem;
import dev.toolfleet.worker.TestResources;
import dev.toolfleet.worker.registry.ToolRegistry;
import dev.toolfleet.worker.state.ChangeSignal;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

class CatalogGateTest {
    private static final Duration BRIEF = Duration.ofMillis(20);
    private static final String BUILT_IN = FleetResources.BUILT_IN;
    private static final Duration LONG = Duration.ofMinutes(2);

    private final TestResources topic = new TestResources();
    private final ChangeSignal news = new ChangeSignal();
    private final StepCatalogs steps = new StepCatalogs(news);
    private final CatalogContentView contents = new CatalogContentView(news);
    private final ToolRegistry registry = new ToolRegistry(new NoCode(), List.of(), () -> Instant.EPOCH,
            news::signal);
    private CompletableFuture<Void> caughtUp = CompletableFuture.completedFuture(null);

    CatalogGateTest() {
        topic.apply(registry, "acme", TestResources.tool("bash", CatalogGateTest.class, "exec", "script"),
                TestResources.tool("git", CatalogGateTest.class, "push"),
                TestResources.agent("coder", "Tool/bash"));
    }

    @Test
    void aToolOfItsStepsCatalogIsOffered() throws Exception {
        publish("s1", 1, 1, "bash__exec");

        assertThat(gate(BRIEF).judge(call("bash__exec", "s1"), 0)).isInstanceOfSatisfying(CatalogVerdict.Offered.class,
                offered -> {
                    assertThat(offered.tool().item().name()).isEqualTo("bash__exec");
                    assertThat(offered.digest()).isEqualTo("sha256:s1");
                    assertThat(offered.policyDigest()).isEqualTo("sha256:policy");
                });
    }

    @Test
    void whatAnEarlierStepShowedCountsForItsCalls() throws Exception {
        publish("s1", 1, 1, "bash__exec");
        publish("s2", 2, 1, "bash__script", "s1");

        assertThat(gate(BRIEF).judge(call("bash__exec", "s1"), 0)).isInstanceOf(CatalogVerdict.Offered.class);
        assertRefused(gate(BRIEF).judge(call("bash__exec", "s2"), 0), "hidden in this step");
    }

    @Test
    void everyRefusalSaysWhichCaseItIs() throws Exception {
        assertRefused(gate(BRIEF).judge(call("bash__exec", "s1"), 0), "No catalog was published for step 's1'");
        publish("s9", 9, 1, "bash__exec");

        assertRefused(gate(BRIEF).judge(call("bash__script", "s9"), 0), "hidden in this step");
        assertRefused(gate(BRIEF).judge(call("git__push", "s9"), 0), "list no tool of that name");
        assertRefused(gate(BRIEF).judge(call("rm__all", "s9"), 0), "list no tool of that name");
        assertRefused(gate(BRIEF).judge(call("bash__exec", "s2"), 0), "too old");
        assertRefused(gate(BRIEF).judge(step(call("bash__exec", "s10"), 10), 0), "newest is of step 's9'");
        ToolCall nobody = ToolCall.of("c", "bash__exec", JsonNodeFactory.instance.objectNode(), "i");
        assertRefused(gate(BRIEF).judge(nobody, 0), "names no agent");
    }

    // Otherwise: it is told to list a tool that it lists.
    @Test
    void aToolWhoseEntryNobodyRunsIsRefusedForThat() throws Exception {
        ObjectNode script = TestResources.tool("script", CatalogGateTest.class, "run");
        script.withObject("/spec").put("entry", "../tools/script.ts");
        topic.apply(registry, "acme", TestResources.tool("bash", CatalogGateTest.class, "exec", "script"), script,
                TestResources.agent("coder", "Tool/bash", "Tool/script"));
        publish("s9", 9, 1, "bash__exec");

        assertRefused(gate(BRIEF).judge(call("script__run", "s9"), 0),
                "nothing here runs its entry '../tools/script.ts'");
    }

    /// Otherwise a model that guesses names learns which tools other teams have.
    @Test
    void aToolOfOthersIsRefusedInTheWordsForOneThatNobodyHas() throws Exception {
        publish("s1", 1, 1, "bash__exec");
        for (CatalogGate gate : List.of(gate(BRIEF), gate(CatalogMode.AGENT, BRIEF))) {
            CatalogVerdict.Refused others = (CatalogVerdict.Refused) gate.judge(call("git__push", "s1"), 0);
            CatalogVerdict.Refused nobodys = (CatalogVerdict.Refused) gate.judge(call("rm__all", "s1"), 0);

            assertThat(others.error().suggestion()).isEqualTo(nobodys.error().suggestion());
            assertThat(others.error().message().replace("git__push", "rm__all")).isEqualTo(nobodys.error().message());
        }
    }

    @Test
    void aCatalogThatIsStillOnItsWayIsWaitedFor() throws Exception {
        CatalogGate gate = gate(LONG);
        FutureTask<CatalogVerdict> judged = new FutureTask<>(() -> gate.judge(call("bash__exec", "s1"), 0));
        Thread judge = Thread.ofVirtual().start(judged);
        await().atMost(Duration.ofMinutes(1)).pollInterval(Duration.ofMillis(1))
                .until(() -> judge.getState() == Thread.State.TIMED_WAITING);

        publishStep("s1", 1, 1, Map.of());
        await().atMost(Duration.ofMinutes(1)).pollInterval(Duration.ofMillis(1))
                .until(() -> judge.getState() == Thread.State.TIMED_WAITING);
        assertThat(judged).as("its content has not arrived").isNotDone();
        publishContent("s1", "bash__exec");

        assertThat(judged.get()).isInstanceOf(CatalogVerdict.Offered.class);
    }

    @Test
    void aRevisionThatIsNotLoadedYetIsWaitedFor() throws Exception {
        publish("s1", 1, 2, "bash__exec");
        FutureTask<CatalogVerdict> judged = new FutureTask<>(() -> gate(LONG).judge(call("bash__exec", "s1"), 0));
        Thread judge = Thread.ofVirtual().start(judged);
        await().atMost(Duration.ofMinutes(1)).pollInterval(Duration.ofMillis(1))
                .until(() -> judge.getState() == Thread.State.TIMED_WAITING);
        assertThat(judged).isNotDone();

        topic.apply(registry, "acme", TestResources.tool("bash", CatalogGateTest.class, "exec"));

        assertThat(judged.get()).isInstanceOf(CatalogVerdict.Offered.class);
    }

    @Test
    void aRevisionOfTheToolsOwnBundleIsWaitedFor() throws Exception {
        listBuiltIn();
        publish("s1", 1, 2, Map.of(BUILT_IN, 2L), "http__get");
        FutureTask<CatalogVerdict> judged = new FutureTask<>(() -> gate(LONG).judge(call("http__get", "s1"), 0));
        Thread judge = Thread.ofVirtual().start(judged);
        await().atMost(Duration.ofMinutes(1)).pollInterval(Duration.ofMillis(1))
                .until(() -> judged.isDone() || judge.getState() == Thread.State.TIMED_WAITING);
        assertThat(judged).isNotDone();

        topic.apply(registry, BUILT_IN, TestResources.tool("http", CatalogGateTest.class, "get", "post"));

        assertThat(judged.get()).isInstanceOf(CatalogVerdict.Offered.class);
    }

    @Test
    void anotherBundlesRevisionHoldsOnlyCallsOfItsTools() throws Exception {
        listBuiltIn();
        publish("s1", 1, 2, Map.of(BUILT_IN, 9L), "bash__exec");

        assertThat(gate(LONG).judge(call("bash__exec", "s1"), 0)).isInstanceOf(CatalogVerdict.Offered.class);
    }

    @Test
    void theNewestStepsRevisionsHoldForCallsOfEarlierSteps() throws Exception {
        listBuiltIn();
        publish("s1", 1, 2, Map.of(BUILT_IN, 1L), "http__get");
        publish("s2", 2, 2, Map.of(BUILT_IN, 9L), "bash__exec", "s1");

        assertThat(gate(BRIEF).judge(call("http__get", "s1"), 0)).isInstanceOfSatisfying(CatalogVerdict.Refused.class,
                refused -> {
                    assertThat(refused.error().code()).isEqualTo("E_TOOL_NOT_FOUND");
                    assertThat(refused.error().message()).contains("revision 9 of bundle '" + BUILT_IN + "'",
                            "revision 1 only");
                });
    }

    @Test
    void theTopicsEndIsReadBeforeTheWaitBegins() throws Exception {
        caughtUp = new CompletableFuture<>();
        FutureTask<CatalogVerdict> judged = new FutureTask<>(() -> gate(BRIEF).judge(call("bash__exec", "s1"), 0));
        Thread judge = Thread.ofVirtual().start(judged);
        await().atMost(Duration.ofMinutes(1)).pollInterval(Duration.ofMillis(1))
                .until(() -> judge.getState() == Thread.State.TIMED_WAITING);

        publish("s1", 1, 1, "bash__exec");
        caughtUp.complete(null);

        assertThat(judged.get()).isInstanceOf(CatalogVerdict.Offered.class);
    }

    @Test
    void theEndOfTheContentsIsReadBeforeTheirWaitBegins() throws Exception {
        publishStep("s1", 1, 1, Map.of());
        caughtUp = new CompletableFuture<>();
        FutureTask<CatalogVerdict> judged = new FutureTask<>(() -> gate(BRIEF).judge(call("bash__exec", "s1"), 0));
        Thread judge = Thread.ofVirtual().start(judged);
        await().pollDelay(BRIEF.multipliedBy(3)).atMost(Duration.ofMinutes(1))
                .until(() -> judge.getState() == Thread.State.TIMED_WAITING);

        publishContent("s1", "bash__exec");
        caughtUp.complete(null);

        assertThat(judged.get()).isInstanceOf(CatalogVerdict.Offered.class);
    }

    @Test
    void anUnreadableTopicIsDecidedByWhatIsKnown() throws Exception {
        caughtUp = CompletableFuture.failedFuture(new CompletionException(new IllegalStateException("no leader")));

        assertRefused(gate(BRIEF).judge(call("bash__exec", "s1"), 0), "No catalog was published");
    }

    @Test
    void aCallWithoutStepIsJudgedByTheNewestCatalogElseByItsAgent() throws Exception {
        ToolCall unstepped = agent(ToolCall.of("c", "bash__script", JsonNodeFactory.instance.objectNode(), "i"));
        assertThat(gate(LONG).judge(unstepped, 0)).isInstanceOfSatisfying(CatalogVerdict.Offered.class,
                offered -> assertThat(offered.digest()).isNull());
        assertRefused(gate(LONG).judge(agent(ToolCall.of("c", "git__push", JsonNodeFactory.instance.objectNode(), "i")),
                0), "list no tool of that name");

        publish("s1", 1, 1, "bash__exec");
        assertRefused(gate(BRIEF).judge(unstepped, 0), "hidden in this step");
    }

    @Test
    void theOtherModesAskTheAgentOrTheRegistry() throws Exception {
        CatalogGate byAgent = gate(CatalogMode.AGENT, BRIEF);
        CatalogGate byRegistry = gate(CatalogMode.REGISTRY, BRIEF);

        assertThat(byAgent.judge(call("bash__exec", "s1"), 0)).isInstanceOf(CatalogVerdict.Offered.class);
        assertRefused(byAgent.judge(call("git__push", "s1"), 0), "list no tool of that name");
        assertThat(byRegistry.judge(call("git__push", "s1"), 0)).isInstanceOf(CatalogVerdict.Offered.class);
        assertRefused(byRegistry.judge(call("rm__all", "s1"), 0), "No tool of that name is registered");
    }

    @Test
    void aRevisionThatNeverArrivesIsNamed() throws Exception {
        publish("s1", 1, 9, "bash__exec");

        assertThat(gate(BRIEF).judge(call("bash__exec", "s1"), 0)).isInstanceOfSatisfying(CatalogVerdict.Refused.class,
                refused -> {
                    assertThat(refused.error().code()).isEqualTo("E_TOOL_NOT_FOUND");
                    assertThat(refused.error().message()).contains("revision 9 of bundle 'acme'", "revision 1 only");
                    assertThat(refused.digest()).isEqualTo("sha256:s1");
                });
    }

    @Test
    void aForgottenPartitionTakesItsCatalogsAlong() {
        publish("s1", 1, 1, "bash__exec");

        steps.forget(3);
        assertThat(steps.newest("i", "coder")).isNotNull();
        steps.forget(0);
        assertThat(steps.newest("i", "coder")).isNull();
    }

    private CatalogGate gate(Duration wait) {
        return gate(CatalogMode.STEP, wait);
    }

    private CatalogGate gate(CatalogMode mode, Duration wait) {
        return new CatalogGate(mode, wait, steps, contents, news, registry, new CatalogGate.CatchUp() {
            @Override
            public CompletableFuture<Void> steps(int partition) {
                return caughtUp;
            }

            @Override
            public CompletableFuture<Void> contents() {
                return caughtUp;
            }

            @Override
            public CompletableFuture<Void> resources() {
                return caughtUp;
            }
        });
    }

    /// The agent's bundle, now at revision 2, lists a tool of the built-in one, which is at revision 1.
    private void listBuiltIn() {
        topic.apply(registry, BUILT_IN, TestResources.tool("http", CatalogGateTest.class, "get"));
        topic.apply(registry, "acme", TestResources.tool("bash", CatalogGateTest.class, "exec"),
                TestResources.agent("coder", "Tool/bash", "Tool/http"));
    }

    private void publish(String step, int index, long revision, String tool, String... recent) {
        publish(step, index, revision, Map.of(), tool, recent);
    }

    private void publish(String step, int index, long revision, Map<String, Long> others, String tool,
            String... recent) {
        publishContent(step, tool);
        publishStep(step, index, revision, others, recent);
    }

    private void publishContent(String step, String tool) {
        ToolCatalogItem item = registry.named(tool) == null
                ? AgentTools.items(registry.resources(), "coder").getFirst()
                : java.util.Objects.requireNonNull(registry.named(tool)).item();
        contents.apply(0, "sha256:" + step, Json.MAPPER.writeValueAsBytes(List.of(item)), 0);
    }

    private void publishStep(String step, int index, long revision, Map<String, Long> others, String... recent) {
        List<RecentStep> before = java.util.Arrays.stream(recent)
                .map(earlier -> new RecentStep("t1", earlier, "sha256:" + earlier)).toList();
        StepCatalog catalog = new StepCatalog("i", "coder", "t1", step, index, "sha256:" + step, "sha256:policy",
                "acme", revision, others, Instant.EPOCH, false, before);
        steps.apply(0, "i/coder", Json.MAPPER.writeValueAsBytes(catalog), 0);
    }

    private static ToolCall call(String tool, String step) {
        return step(ToolCall.of("c", tool, JsonNodeFactory.instance.objectNode(), "i").inStep("coder", "t1", step, 0),
                Integer.parseInt(step.substring(1)));
    }

    private static ToolCall step(ToolCall call, int index) {
        return call.inStep("coder", "t1", java.util.Objects.requireNonNull(call.stepId()), index);
    }

    private static ToolCall agent(ToolCall call) {
        return new ToolCall(call.id(), call.name(), call.args(), call.instanceKey(), "coder", null, null, null, null,
                null, null, null, null, null, null);
    }

    private static void assertRefused(CatalogVerdict verdict, String because) {
        assertThat(verdict).isInstanceOfSatisfying(CatalogVerdict.Refused.class, refused -> {
            assertThat(refused.error().code()).isEqualTo("E_TOOL_NOT_IN_CATALOG");
            assertThat(refused.error().suggestion()).contains(because);
        });
    }

    /// Modules without behaviour.
    private static final class NoCode implements ModuleLoader {
        @Override
        public ToolModule tool(String bundle, ToolSpec spec, Map<String, String> files) {
            ToolHandler nothing = (ctx, input) -> null;
            return new ToolModule() {
                @Override
                public void configure(ObjectNode config) {}

                @Override
                public Map<String, ToolHandler> handlers() {
                    return Map.of("exec", nothing, "script", nothing, "push", nothing, "get", nothing,
                            "post", nothing);
                }
            };
        }

        @Override
        public ExtensionModule extension(String bundle, EntryKind entry, Map<String, String> files) {
            throw new UnsupportedOperationException();
        }
    }
}
