package dev.toolfleet.worker.catalog;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;

import dev.toolfleet.json.Json;
import dev.toolfleet.resources.AgentTools;
import dev.toolfleet.resources.DeclaredTool;
import dev.toolfleet.wire.StepCatalog;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.wire.ToolRef;
import dev.toolfleet.worker.TestResources;
import dev.toolfleet.worker.registry.ToolRegistry;
import dev.toolfleet.worker.state.ChangeSignal;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.JsonNodeFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/// Calls whose revision, or whose tool, is being loaded: `acme` with the tool `t__run`.
class LoadingRevisionsGateTest {
    private static final Duration BRIEF = Duration.ofMillis(20);
    private static final ToolRef RUN = new ToolRef("acme", "t", "run");

    private final ChangeSignal news = new ChangeSignal();
    private final StepCatalogs steps = new StepCatalogs(news);
    private final CatalogContentView contents = new CatalogContentView(news);
    private final CountDownLatch gate = new CountDownLatch(1);
    private final ToolRegistry registry = TestResources.loading(() -> Map.of("run", (ctx, input) -> null), gate,
            news::signal);

    LoadingRevisionsGateTest() {
        DeclaredTool tool = registry.declared().tool(RUN).orElseThrow();
        contents.apply(0, "sha256:c", Json.MAPPER.writeValueAsBytes(
                List.of(AgentTools.item(tool, tool.export("run").orElseThrow(), "t__run"))), 0);
    }

    @AfterEach
    void close() {
        gate.countDown();
        registry.close();
    }

    @Test
    void aRevisionThatIsBeingLoadedIsWaitedForLongerThanOneThatIsNotRead() throws Exception {
        step("acme", 1);
        FutureTask<Boolean> awaited = waiting(() -> gate().await(call(), 0));

        gate.countDown();
        assertThat(awaited.get(1, TimeUnit.MINUTES)).isTrue();
        assertThat(registry.revision("acme")).isEqualTo(1);
    }

    @Test
    void aToolOfAnotherBundleThatIsBeingLoadedIsWaitedFor() throws Exception {
        step("of the agent", 0);
        FutureTask<CatalogVerdict> judged = waiting(() -> gate().judge(call(), 0));

        gate.countDown();
        assertThat(judged.get(1, TimeUnit.MINUTES)).isInstanceOf(CatalogVerdict.Offered.class);
        assertThat(registry.runs(RUN)).isTrue();
    }

    @Test
    void anApprovedCallWaitsForItsToolToo() throws Exception {
        FutureTask<CatalogVerdict> judged = waiting(() -> gate().judge(call(), 0, "sha256:c", true));

        gate.countDown();
        assertThat(judged.get(1, TimeUnit.MINUTES)).isInstanceOf(CatalogVerdict.Offered.class);
    }

    @Test
    void aStepThatNobodyAnnouncedIsWaitedForOnce() throws Exception {
        assertThat(gate().await(call(), 0)).isFalse();
        CatalogGate patient = new CatalogGate(CatalogMode.STEP, Duration.ofMinutes(2), steps, contents, news, registry,
                CatalogGate.CatchUp.NOTHING);

        assertThat(patient.judge(call(), 0, null, false)).isInstanceOf(CatalogVerdict.Refused.class);
    }

    /// Begins something, and returns when it waits.
    private static <T> FutureTask<T> waiting(Callable<T> what) {
        FutureTask<T> task = new FutureTask<>(what);
        Thread thread = Thread.ofVirtual().start(task);
        await().pollDelay(BRIEF.multipliedBy(3)).atMost(Duration.ofMinutes(1))
                .until(() -> task.isDone() || thread.getState() == Thread.State.TIMED_WAITING);
        assertThat(task).isNotDone();
        return task;
    }

    private CatalogGate gate() {
        return new CatalogGate(CatalogMode.STEP, BRIEF, steps, contents, news, registry, CatalogGate.CatchUp.NOTHING);
    }

    private void step(String bundle, long revision) {
        StepCatalog catalog = new StepCatalog("i", "coder", "t1", "s1", 1, "sha256:c", "sha256:policy", bundle,
                revision,
                null, Instant.EPOCH, false, List.of());
        steps.apply(0, "i/coder", Json.MAPPER.writeValueAsBytes(catalog), 0);
    }

    private static ToolCall call() {
        return ToolCall.of("c", "t__run", JsonNodeFactory.instance.objectNode(), "i").inStep("coder", "t1", "s1", 1);
    }
}
