package dev.toolfleet.worker.completion;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

import dev.toolfleet.bundle.PollSpec;
import dev.toolfleet.json.Json;
import dev.toolfleet.loading.EntryModules;
import dev.toolfleet.tool.PendingWork;
import dev.toolfleet.tool.PollAnswer;
import dev.toolfleet.tool.ToolHandler;
import dev.toolfleet.tool.ToolModule;
import dev.toolfleet.wire.ToolRef;
import dev.toolfleet.worker.SlowTools;
import dev.toolfleet.worker.TestResources;
import dev.toolfleet.worker.guard.ResultGuard;
import dev.toolfleet.worker.registry.ToolRegistry;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

class RegistryModulesTest {
    private static final ToolRef START = new ToolRef("acme", "build", "start");
    private static final PendingWork WORK = new PendingWork("h", Json.MAPPER.createObjectNode(), null, "i", null, "c",
            Instant.EPOCH, Instant.EPOCH);

    private final ToolRegistry registry = new ToolRegistry(
            new EntryModules(bundle -> Path.of("."), Map.of(), Map.of()),
            List.of(),
            InstantSource.system(),
            () -> {});
    private final RegistryModules modules = new RegistryModules(registry, ResultGuard.NONE);

    /// A module that can be asked, made by the registry.
    public static final class Builds implements ToolModule {
        static final AtomicReference<@Nullable String> CANCELLED = new AtomicReference<>();

        @Override
        public Map<String, ToolHandler> handlers() {
            return Map.of("start", (ctx, input) -> null);
        }

        @Override
        public PollAnswer poll(String export, PendingWork work) {
            return PollAnswer.completed(export + " " + work.handle());
        }

        @Override
        public void cancel(String export, PendingWork work) {
            CANCELLED.set(export + " " + work.handle());
        }
    }

    private void apply(boolean polled) {
        ObjectNode tool = TestResources.tool("build", Builds.class, "start");
        if (polled) {
            TestResources.export(tool, "start").putObject("async").putObject("poll").put("interval", "5s")
                    .put("factor", 2).put("maxInterval", "20s");
        }
        new TestResources().apply(registry, "acme", tool);
    }

    @Test
    void theModuleOfTheExportIsAskedAndTold() throws Exception {
        apply(true);

        assertThat(modules.ask(START, WORK)).isEqualTo(PollAnswer.completed("start h"));
        modules.cancel(START, WORK);
        assertThat(Builds.CANCELLED).hasValue("start h");
    }

    @Test
    void anExportIsAskedAsItDeclares() {
        apply(true);
        assertThat(modules.poll(START))
                .contains(new PollSpec(Duration.ofSeconds(5), 2, Duration.ofSeconds(20)));
        assertThat(modules.poll(new ToolRef("acme", "build", "other"))).isEmpty();
        assertThat(modules.poll(new ToolRef("other", "build", "start"))).isEmpty();
    }

    @Test
    void anExportThatDeclaresNothingIsNotAsked() {
        apply(false);

        assertThat(modules.poll(START)).isEmpty();
    }

    // Taken for one that declares nothing, its handle was never asked for.
    @Test
    void anExportIsKnownWhileItsModuleIsBeingLoadedAndItsModuleIsWaitedFor() throws Exception {
        SlowTools.hang();
        ToolRef slow = new ToolRef("acme", "slow", "run");
        ObjectNode tool = TestResources.tool("slow", SlowTools.class, "run");
        TestResources.export(tool, "run").putObject("async").putObject("poll").put("interval", "5s");
        new TestResources().begin(registry, "acme", tool);
        assertThat(modules.poll(slow)).isPresent();

        FutureTask<PollAnswer> asked = new FutureTask<>(() -> modules.ask(slow, WORK));
        Thread asks = Thread.ofVirtual().start(asked);
        await().until(() -> asked.isDone() || asks.getState() == Thread.State.TIMED_WAITING);
        SlowTools.letGo();
        assertThat(asked.get(1, TimeUnit.MINUTES)).isNotNull();
    }

    @Test
    void whatIsNotLoadedHereCannotBeAsked() {
        assertThatThrownBy(() -> modules.ask(START, WORK)).hasMessageContaining("Tool/build of acme is not loaded");
    }
}
