package dev.toolfleet.worker.catalog;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.FutureTask;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.toolfleet.json.Json;
import dev.toolfleet.middleware.ToolDeclaration;
import dev.toolfleet.resources.RegistrationOwner;
import dev.toolfleet.resources.RegistrationPlan;
import dev.toolfleet.wire.StepCatalog;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.wire.ToolCatalogItem;
import dev.toolfleet.wire.ToolRef;
import dev.toolfleet.worker.TestResources;
import dev.toolfleet.worker.registry.ToolRegistry;
import dev.toolfleet.worker.state.ChangeSignal;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.JsonNodeFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/// Calls of a tool that an extension has published.
class RegisteredToolsGateTest implements CatalogGate.CatchUp {
    private static final RegistrationOwner WEATHER = RegistrationOwner.extension("acme", "coder", "weather");
    private static final Duration LEASE = Duration.ofSeconds(30);

    private volatile Instant now = Instant.EPOCH;
    private final ChangeSignal news = new ChangeSignal();
    private final StepCatalogs steps = new StepCatalogs(news);
    private final CatalogContentView contents = new CatalogContentView(news);
    private final ToolRegistry registry = TestResources.registry(Map::of, false, () -> now, news::signal);
    private CompletableFuture<Void> caughtUp = CompletableFuture.completedFuture(null);
    private final CatalogGate gate = new CatalogGate(CatalogMode.STEP, Duration.ofMillis(20), steps, contents, news,
            registry, this);

    RegisteredToolsGateTest() {
        register("sky__look");
        contents.apply(0, "sha256:s1", Json.MAPPER.writeValueAsBytes(List.of(new ToolCatalogItem("sky__look", null,
                Json.MAPPER.createObjectNode(), WEATHER.source(), new ToolRef(WEATHER.namespace(), "sky", "look"),
                null))), 0);
        steps.apply(0, "i/coder", Json.MAPPER.writeValueAsBytes(new StepCatalog("i", "coder", "t1", "s1", 1,
                "sha256:s1", "sha256:policy", "acme", 1, null, Instant.EPOCH, false, List.of())), 0);
    }

    @Test
    void itIsRefusedOnceItsLeaseHasEndedOrItWasTakenBack() throws Exception {
        assertThat(judge()).isInstanceOf(CatalogVerdict.Offered.class);

        now = Instant.EPOCH.plusSeconds(60);
        assertRefused(judge(), "has lapsed: no live worker has renewed what extension 'weather' offers");
        register();
        assertRefused(judge(), "by extension 'weather' has lapsed or was taken back since this step began");
    }

    @Test
    void aLeaseThatWasRenewedAndNotYetReadIsReadFirst() throws Exception {
        now = Instant.EPOCH.plusSeconds(60);
        caughtUp = new CompletableFuture<>();
        FutureTask<CatalogVerdict> judged = new FutureTask<>(this::judge);
        Thread judge = Thread.ofVirtual().start(judged);
        await().atMost(Duration.ofMinutes(1)).pollInterval(Duration.ofMillis(1))
                .until(() -> judge.getState() == Thread.State.TIMED_WAITING);

        register("sky__look");
        caughtUp.complete(null);

        assertThat(judged.get()).isInstanceOf(CatalogVerdict.Offered.class);
    }

    private CatalogVerdict judge() throws InterruptedException {
        return gate.judge(ToolCall.of("c", "sky__look", JsonNodeFactory.instance.objectNode(), "i")
                .inStep("coder", "t1", "s1", 1), 0);
    }

    private void register(String... tools) {
        Map<String, ToolDeclaration> declared = Stream.of(tools).collect(Collectors.toMap(name -> name,
                name -> ToolDeclaration.of(name, "does it", Json.MAPPER.createObjectNode())));
        RegistrationPlan.of(new RegistrationPlan.Lease(WEATHER, now, now.plus(LEASE), "w1"),
                Optional.ofNullable(registry.resources().registrations().get(WEATHER.namespace())), declared).entries()
                .forEach(entry -> registry.apply(entry.key(),
                        entry.value() == null ? null : Json.MAPPER.writeValueAsBytes(entry.value())));
    }

    private static void assertRefused(CatalogVerdict verdict, String because) {
        assertThat(verdict).isInstanceOfSatisfying(CatalogVerdict.Refused.class, refused -> {
            assertThat(refused.error().code()).isEqualTo("E_TOOL_NOT_IN_CATALOG");
            assertThat(refused.error().suggestion()).contains(because);
        });
    }

    @Override
    public CompletableFuture<Void> steps(int partition) {
        return CompletableFuture.completedFuture(null);
    }

    @Override
    public CompletableFuture<Void> contents() {
        return CompletableFuture.completedFuture(null);
    }

    @Override
    public CompletableFuture<Void> resources() {
        return caughtUp;
    }
}
