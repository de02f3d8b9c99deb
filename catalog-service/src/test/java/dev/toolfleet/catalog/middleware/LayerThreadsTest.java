package dev.toolfleet.catalog.middleware;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

import dev.toolfleet.catalog.telemetry.StepFaults;
import dev.toolfleet.json.Json;
import dev.toolfleet.loading.LoadedModule;
import dev.toolfleet.middleware.ExtensionModule;
import dev.toolfleet.middleware.ExtensionRegistrar;
import dev.toolfleet.middleware.StepMiddleware;
import dev.toolfleet.middleware.StepMiddleware.OnFailure;
import dev.toolfleet.middleware.StepTool;
import dev.toolfleet.wire.StepStarted;
import dev.toolfleet.wire.ToolCatalogItem;
import dev.toolfleet.wire.ToolRef;
import dev.toolfleet.wire.ToolSource;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

/// A layer that does not return fails as one that throws, and changes nothing afterwards.
class LayerThreadsTest {
    private final StepFaults faults = new StepFaults(() -> Instant.EPOCH);
    private final LayerThreads threads = new LayerThreads(Duration.ofSeconds(1));
    private final CountDownLatch hangs = new CountDownLatch(1);

    @AfterEach
    void close() {
        hangs.countDown();
        threads.close();
    }

    @Test
    void aLayerThatHangsShowsNothingOfWhatItWasHandedAndOuterLayersGoOn() {
        AtomicBoolean inner = new AtomicBoolean();

        List<String> shown = run(layer("outer", OnFailure.CLOSE, (ctx, next) -> {
            next.proceed();
            ctx.known("t__a").ifPresent(ctx::add);
        }), layer("hangs", OnFailure.CLOSE, (ctx, next) -> awaitWhateverComes()), layer("inner", OnFailure.CLOSE,
                (ctx, next) -> inner.set(true)));

        assertThat(shown).containsExactly("t__a");
        assertThat(inner).isFalse();
        assertThat(faults.counts()).as("the time of what is inside is not the outer one's")
                .isEqualTo(Map.of("acme/hangs", 1L));
        assertThat(threads.leftBehind()).isEqualTo(1);
    }

    @Test
    void withoutALayerThatHidesNothingTheStepGoesOn() {
        assertThat(run(layer("sort", OnFailure.SKIP, (ctx, next) -> {
            ctx.tools(List.of());
            awaitWhateverComes();
        }), layer("inner", OnFailure.CLOSE, (ctx, next) -> ctx.keep(tool -> !tool.name().equals("t__a")))))
                .containsExactly("t__b");
    }

    @Test
    void whatALayerDoesAfterItWasLeftBehindChangesNothing() {
        CompletableFuture<Throwable> changing = new CompletableFuture<>();
        CompletableFuture<Throwable> proceeding = new CompletableFuture<>();
        AtomicBoolean inner = new AtomicBoolean();
        StepRun step = step();

        onion(step, layer("hangs", OnFailure.CLOSE, (ctx, next) -> {
            awaitWhateverComes();
            changing.complete(catchThrowable(() -> ctx.tools(ctx.known())));
            proceeding.complete(catchThrowable(next::proceed));
        }), layer("inner", OnFailure.CLOSE, (ctx, next) -> inner.set(true)));
        hangs.countDown();

        assertThat(changing).succeedsWithin(60, TimeUnit.SECONDS).isInstanceOf(LeftBehindException.class);
        assertThat(proceeding).succeedsWithin(60, TimeUnit.SECONDS).isInstanceOf(LeftBehindException.class);
        assertThat(inner).isFalse();
        assertThat(step.tools()).isEmpty();
        Awaitility.await().atMost(Duration.ofMinutes(1)).until(() -> threads.leftBehind() == 0);
    }

    @Test
    void aLayerIsInterruptedOnceAndTheThreadIsCleanForTheNext() {
        assertThat(run(layer("waits", OnFailure.CLOSE, (ctx, next) -> hangs.await()))).isEmpty();
        Awaitility.await().atMost(Duration.ofMinutes(1)).until(() -> threads.leftBehind() == 0);

        AtomicBoolean interrupted = new AtomicBoolean();
        run(layer("next", OnFailure.CLOSE, (ctx, next) -> interrupted.set(Thread.currentThread().isInterrupted())));
        assertThat(interrupted).isFalse();
    }

    @Test
    void anExtensionThatAlwaysHangsIsNotRunAnyMoreUntilSomeOfItReturns() throws Throwable {
        LayerThreads impatient = new LayerThreads(Duration.ofMillis(50));
        AtomicInteger begun = new AtomicInteger();
        LayerThreads.Code code = turn -> {
            begun.incrementAndGet();
            awaitWhateverComes();
        };
        // A run that had not begun at its limit does not hang.
        while (impatient.leftBehind() < LayerThreads.MOST)
            assertThatThrownBy(() -> impatient.run("acme/hangs", StepLayers.NONE, code))
                    .isInstanceOf(LeftBehindException.class);

        assertThatThrownBy(() -> impatient.run("acme/hangs", StepLayers.NONE, turn -> begun.set(1_000)))
                .isInstanceOf(LeftBehindException.class).hasMessageContaining("was not run");
        threads.run("acme/other", StepLayers.NONE, turn -> {});
        assertThat(begun).hasValueGreaterThanOrEqualTo(LayerThreads.MOST).hasValueLessThan(1_000);

        hangs.countDown();
        Awaitility.await().atMost(Duration.ofMinutes(1)).until(() -> impatient.leftBehind() == 0);
        impatient.close();
    }

    @Test
    void aModuleStaysOpenUntilItsLayerReturns() {
        CompletableFuture<Void> closed = new CompletableFuture<>();
        LoadedModule<ExtensionModule> module = new LoadedModule<>("acme/hangs", new ExtensionModule() {
            @Override
            public void register(ExtensionRegistrar registrar, ObjectNode config) {}

            @Override
            public void close() {
                closed.complete(null);
            }
        });
        StepLayers layers = new StepLayers(
                List.of(layer("hangs", OnFailure.CLOSE, (ctx, next) -> awaitWhateverComes())),
                List.of(), List.of(module));
        assertThat(layers.acquire()).isTrue();
        StepOnion.run(threads, layers, step());
        layers.release();
        module.release();
        assertThat(closed).as("its layer still runs").isNotDone();

        hangs.countDown();

        assertThat(closed).succeedsWithin(60, TimeUnit.SECONDS);
    }

    @Test
    void whatALayerThrowsIsItsCallersToSee() {
        assertThatThrownBy(() -> threads.run("acme/x", StepLayers.NONE, turn -> {
            throw new AssertionError("an Error");
        })).isInstanceOf(AssertionError.class).hasMessage("an Error");
        assertThat(threads.leftBehind()).isZero();
    }

    /// Waits like code that ignores its interrupt.
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

    private List<String> run(StepLayer... layers) {
        return onion(step(), layers).stream().map(StepTool::name).toList();
    }

    private List<StepTool> onion(StepRun step, StepLayer... layers) {
        return StepOnion.run(threads, new StepLayers(List.of(layers), List.of(), List.of()), step);
    }

    private StepRun step() {
        return new StepRun(new StepStarted("i", "coder", "t1", "s1", 1, null, null, null),
                new StepOffer(List.of(tool("t__a"), tool("t__b")), List.of(), List.of()), StepFacts.NONE, faults);
    }

    private static StepLayer layer(String name, OnFailure onFailure, StepMiddleware middleware) {
        return new StepLayer("acme/" + name, 1, onFailure, middleware);
    }

    private static StepTool tool(String name) {
        return new StepTool(new ToolCatalogItem(name, null, Json.MAPPER.createObjectNode(),
                new ToolSource(ToolSource.CONFIG, "t"), new ToolRef("acme", "t", name), null), false, false);
    }
}
