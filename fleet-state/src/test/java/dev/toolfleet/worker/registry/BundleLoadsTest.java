package dev.toolfleet.worker.registry;

import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;

import dev.toolfleet.wire.ToolRef;
import dev.toolfleet.worker.TestResources;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

/// Revisions whose modules take their time, hang or fail.
class BundleLoadsTest {
    private static final ToolRef A = new ToolRef("a", "t", "run");
    private static final ToolRef B = new ToolRef("b", "t", "run");
    private static final Duration LONG = Duration.ofMinutes(1);
    private static final Duration SHORT = Duration.ofMillis(50);

    private final TestResources topic = new TestResources();
    private final GatedCode code = new GatedCode();
    private ToolRegistry registry = registry(LONG);

    @AfterEach
    void close() {
        for (String name : List.of("One", "Two", "Mine", "Other"))
            code.letGo(name);
        registry.close();
    }

    @Test
    void aModuleThatHangsStopsNoOtherBundle() {
        code.hang("One");
        topic.begin(registry, "b", tool("One"));
        topic.begin(registry, "a", tool("Two"));

        await().until(() -> registry.runs(A));
        assertThat(registry.revision("a")).isEqualTo(1);
        assertThat(registry.isLoading("b")).isTrue();
        assertThat(registry.revision("b")).isZero();
        assertThat(registry.declared().bundle("b")).isPresent();
    }

    @Test
    void aModuleThatHangsIsAProblemByNameAfterItsLimitAndIsUsedIfItLoadsAfterAll() {
        registry = registry(SHORT);
        code.hang("One");
        topic.begin(registry, "b", tool("One"));

        await().until(() -> registry.revision("b") == 1);
        assertThat(registry.problems().get("b/t")).startsWith("did not load within 50 ms");
        assertThat(registry.whyMissing(B)).isNotNull();
        assertThat(registry.isLoading("b")).isFalse();

        code.letGo("One");
        await().until(() -> registry.runs(B));
        assertThat(registry.problems()).isEmpty();
    }

    @Test
    void retriesBeginNoSecondLoadOfAModuleThatHangs() {
        registry = registry(SHORT);
        code.hang("One");
        topic.begin(registry, "b", tool("One"));
        await().until(registry::isTroubled);
        registry.retry();
        registry.retry();

        code.letGo("One");
        await().until(() -> registry.runs(B));
        assertThat(code.made).containsExactly("One");
    }

    @Test
    void theEarlierRevisionStaysInUseUntilTheNewOneHasLoaded() {
        topic.apply(registry, "a", tool("One"), extension("Mine"), listing("a"));
        code.hang("Two");
        topic.begin(registry, "a", readOnly(tool("Two")), extension("Other"), listing("a"));
        await().until(() -> code.made.containsAll(List.of("Two", "Other")));

        assertThat(registry.revision("a")).isEqualTo(1);
        assertThat(requireNonNull(registry.current(A)).export().annotations().readOnly()).isFalse();
        assertThat(code.closed).isEmpty();

        code.letGo("Two");
        await().until(() -> registry.revision("a") == 2);
        assertThat(requireNonNull(registry.current(A)).export().annotations().readOnly()).isTrue();
        await().untilAsserted(() -> assertThat(code.closed).containsExactlyInAnyOrder("One", "Mine"));
    }

    @Test
    void aCallOfARevisionThatIsLoadingIsReadOnlyOnlyIfItsToolStaysSo() {
        topic.apply(registry, "a", readOnly(tool("One")));
        assertThat(registry.readOnly("t__run")).isTrue();
        code.hang("Two");
        topic.begin(registry, "a", tool("Two"));

        assertThat(registry.isLoading("a")).isTrue();
        assertThat(registry.readOnly("t__run")).isFalse();
    }

    @Test
    void aBundleWaitsForTheExtensionOfAnotherThatItsAgentLists() {
        topic.apply(registry, "a", tool("One"), TestResources.agent("coder", "Tool/t"));
        code.hang("Other");
        topic.begin(registry, "p", extension("Mine"), tool("Other"));
        topic.begin(registry, "a", tool("One"), listing("p"));
        topic.begin(registry, "c", tool("Two"));

        // It does not wait.
        await().until(() -> registry.revision("c") == 1);
        assertThat(registry.revision("a")).isEqualTo(1);
        assertThat(registry.acquireLayers("coder").outermostFirst()).isEmpty();

        code.letGo("Other");
        await().until(() -> registry.revision("a") == 2);
        assertThat(registry.revision("p")).isEqualTo(1);
        assertThat(registry.acquireLayers("coder").outermostFirst()).extracting(Layer::extension).containsExactly("e");
        assertThat(registry.problems()).isEmpty();
    }

    @Test
    void bundlesThatListEachOthersExtensionsMoveTogether() {
        code.hang("Two");
        topic.begin(registry, "p", extension("Other"), named("two", "a"), tool("Two"));
        topic.begin(registry, "a", extension("Mine"), named("one", "p"));
        await().until(() -> code.made.containsAll(List.of("Mine", "Other", "Two")));
        assertThat(registry.revision("a") + registry.revision("p")).isZero();

        code.letGo("Two");
        await().until(() -> registry.revision("a") == 1 && registry.revision("p") == 1);
        assertThat(registry.problems()).isEmpty();
    }

    @Test
    void anAgentOfAnotherBundleKeepsItsLayersUntilTheNewOnesHaveLoaded() {
        topic.apply(registry, "p", extension("Mine"));
        topic.apply(registry, "a", listing("p"));
        code.hang("Other");
        topic.begin(registry, "p", extension("Other"));
        await().until(() -> code.made.contains("Other"));
        assertThat(registry.revision("p")).isEqualTo(1);
        assertThat(code.closed).isEmpty();

        code.letGo("Other");
        await().until(() -> registry.revision("p") == 2);
        await().untilAsserted(() -> assertThat(code.closed).containsExactly("Mine"));
    }

    @Test
    void anExtensionThatIsBeingLoadedTakesNoPublishedToolAway() {
        topic.apply(registry, "a", extension("Mine"), listing("a"));
        code.hang("Other");
        topic.begin(registry, "a", extension("Other"), listing("a"));
        await().until(() -> code.made.contains("Other"));
        assertThat(described()).containsExactly("Mine");

        code.letGo("Other");
        await().untilAsserted(() -> assertThat(described()).containsExactly("Other"));
    }

    private List<String> described() {
        return registry.offered().stream().flatMap(offer -> offer.tools().values().stream())
                .map(tool -> tool.export().path("description").asString()).toList();
    }

    @Test
    void aRevisionThatWasSupersededIsClosedAndNeverShown() {
        code.hang("One");
        topic.begin(registry, "b", tool("One"));
        await().until(() -> code.made.contains("One"));
        topic.apply(registry, "b", tool("Two"));
        assertThat(registry.revision("b")).isEqualTo(2);

        code.letGo("One");
        await().untilAsserted(() -> assertThat(code.closed).containsExactly("One"));
        assertThat(code.interrupted).as("it is told that no one waits").contains("One");
        assertThat(registry.runs(B)).isTrue();
    }

    @Test
    void aModuleThatDoesNotCloseHoldsUpNobody() {
        topic.apply(registry, "b", tool("One"));
        RegisteredTool running = requireNonNull(registry.acquire(B));
        code.hangClosing("One");
        topic.apply(registry, "b", tool("Two"));

        running.release();
        assertThat(registry.runs(B)).isTrue();
        assertThat(code.closed).isEmpty();
        code.letGo("One");
        await().untilAsserted(() -> assertThat(code.closed).containsExactly("One"));
    }

    @Test
    void aToolThatIsBeingLoadedIsWaitedForUntilTheRegistryCloses() throws Exception {
        code.hang("One");
        topic.begin(registry, "b", tool("One"));
        FutureTask<Boolean> waits = waiting();
        code.letGo("One");
        assertThat(waits.get(1, TimeUnit.MINUTES)).isTrue();

        code.hang("Two");
        topic.begin(registry, "b", tool("Two"), named("x", "b"));
        registry.close();
        assertThat(waiting().get(1, TimeUnit.MINUTES)).isFalse();
    }

    private FutureTask<Boolean> waiting() {
        FutureTask<Boolean> waits = new FutureTask<>(() -> {
            registry.awaitTool(B, () -> true);
            return registry.runs(B);
        });
        Thread.ofVirtual().start(waits);
        return waits;
    }

    @Test
    void aWaitIsInterruptedAndEndsWhenItsCallerNoLongerWantsIt() throws Exception {
        code.hang("One");
        topic.begin(registry, "b", tool("One"));
        registry.awaitTool(B, () -> false);

        Thread.currentThread().interrupt();
        assertThatThrownBy(registry::awaitLoaded)
                .isInstanceOf(InterruptedException.class);
    }

    @Test
    void aBundleThatIsRemovedAsItLoadsIsClosed() {
        code.hang("One");
        topic.begin(registry, "b", tool("One"));
        await().until(() -> code.made.contains("One"));
        topic.remove(registry, "b");
        assertThat(registry.isLoading("b")).isFalse();

        code.letGo("One");
        await().untilAsserted(() -> assertThat(code.closed).containsExactly("One"));
    }

    private ToolRegistry registry(Duration limit) {
        return new ToolRegistry(code, List.of(), InstantSource.system(), () -> {}, new ModuleThreads(limit));
    }

    private static ObjectNode tool(String className) {
        ObjectNode tool = TestResources.tool("t", BundleLoadsTest.class, "run");
        tool.withObject("spec").put("entry", "java:" + className);
        return tool;
    }

    private static ObjectNode readOnly(ObjectNode tool) {
        TestResources.export(tool, "run").putObject("annotations").put("readOnly", true);
        return tool;
    }

    private static ObjectNode extension(String className) {
        ObjectNode extension = TestResources.extension("e", BundleLoadsTest.class);
        extension.withObject("spec").put("entry", "java:" + className);
        return extension;
    }

    /// An Agent that lists the extension of a bundle.
    private static ObjectNode listing(String bundle) {
        return named("coder", bundle);
    }

    private static ObjectNode named(String name, String bundle) {
        ObjectNode agent = TestResources.agent(name, "Tool/t");
        agent.withObject("spec").putArray("extensions").addObject().putObject("ref").put("kind", "Extension")
                .put("name", "e").put("package", bundle);
        return agent;
    }
}
