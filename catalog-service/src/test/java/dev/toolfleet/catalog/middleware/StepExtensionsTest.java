package dev.toolfleet.catalog.middleware;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import dev.toolfleet.bundle.EntryKind;
import dev.toolfleet.bundle.ToolSpec;
import dev.toolfleet.catalog.Bundles;
import dev.toolfleet.catalog.Steps;
import dev.toolfleet.loading.ModuleLoader;
import dev.toolfleet.middleware.ExtensionModule;
import dev.toolfleet.middleware.ExtensionRegistrar;
import dev.toolfleet.tool.ToolModule;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

import static dev.toolfleet.catalog.Bundles.agent;
import static dev.toolfleet.catalog.Bundles.extension;
import static dev.toolfleet.catalog.Bundles.tool;
import static dev.toolfleet.catalog.Bundles.using;
import static org.assertj.core.api.Assertions.assertThat;

class StepExtensionsTest {
    private final List<String> log = new ArrayList<>();
    private final Steps steps = new Steps();

    /// Registers a layer that keeps the tool of its configuration.
    private final class Keeping implements ExtensionModule {
        @Override
        public void register(ExtensionRegistrar registrar, ObjectNode config) {
            String kept = config.path("keep").asString();
            log.add("register " + kept);
            registrar.step((ctx, next) -> {
                ctx.keep(tool -> tool.name().equals(kept));
                next.proceed();
            });
        }

        @Override
        public void close() {
            log.add("close");
        }
    }

    @Test
    void theAgentsConfigurationIsLaidOverTheExtensions() {
        steps.code("keeping", new Keeping());
        ObjectNode extension = extension("keeping", "java:keeping");
        extension.withObject("spec").putObject("config").put("keep", "t__a");

        assertThat(steps.apply(tool("t", "a", "b"), extension,
                using(agent("coder", "Tool/t"), "keeping", config -> config.put("keep", "t__b"))).names())
                .containsExactly("t__b");
    }

    @Test
    void withoutAnExtensionThatIsMissingNothingIsShownNotEvenRequiredTools() {
        ObjectNode agent = using(agent("coder", "Tool/t"), "missing", config -> {});
        agent.withObject("spec").putArray("requiredTools").add("t__a");

        assertThat(steps.apply(tool("t", "a"), agent, extension("missing", "java:missing")).names()).isEmpty();
        assertThat(steps.extensions().problems()).containsEntry("acme/missing", "no class missing");
        assertThat(steps.faults()).containsEntry("acme/missing", 1L);

        assertThat(steps.apply(tool("t", "a"), using(agent("coder", "Tool/t"), "undeclared", config -> {})).names())
                .isEmpty();
        assertThat(steps.extensions().problems().get("acme/undeclared")).contains("no Extension of that name");
    }

    @Test
    void aFileWithoutDigestIsNamed() {
        steps.apply(tool("t", "a"), using(agent("coder", "Tool/t"), "jar", config -> {}),
                extension("jar", "./lib/x.jar#com.acme.X"));

        assertThat(steps.names()).isEmpty();
        assertThat(steps.extensions().problems().get("acme/jar")).contains("lib/x.jar").contains("no digest");
    }

    @Test
    void anExtensionWhoseRegistrationHangsIsNamedHoldsUpNoOtherAndIsClosedLater() {
        CountDownLatch hangs = new CountDownLatch(1);
        CompletableFuture<Void> closed = new CompletableFuture<>();
        ExtensionModule hanging = new ExtensionModule() {
            @Override
            public void register(ExtensionRegistrar registrar, ObjectNode config) {
                while (true) {
                    try {
                        hangs.await();
                        return;
                    } catch (InterruptedException e) {
                        // Ignored on purpose: this code does not react to its interrupt.
                    }
                }
            }

            @Override
            public void close() {
                closed.complete(null);
            }
        };
        StepExtensions extensions = new StepExtensions(new ModuleLoader() {
            @Override
            public ToolModule tool(String bundle, ToolSpec spec, Map<String, String> files) {
                throw new UnsupportedOperationException();
            }

            @Override
            public ExtensionModule extension(String bundle, EntryKind entry, Map<String, String> files) {
                return entry instanceof EntryKind.JavaClass(String name) && name.equals("hangs")
                        ? hanging
                        : new Keeping();
            }
        }, new LayerThreads(), new LayerThreads(Duration.ofMillis(500)));

        extensions.reload(new Bundles().apply("acme", tool("t", "a"), extension("hangs", "java:hangs"),
                extension("keeping", "java:keeping"), using(agent("coder", "Tool/t"), "hangs", config -> {}),
                using(agent("other", "Tool/t"), "keeping", config -> {})).view());

        assertThat(extensions.problems()).containsOnlyKeys("acme/hangs");
        assertThat(extensions.problems().get("acme/hangs")).contains("its registration does not return");
        assertThat(closed).isNotDone();
        hangs.countDown();
        assertThat(closed).as("what it made after all").succeedsWithin(60, TimeUnit.SECONDS);
        extensions.close();
    }

    @Test
    void otherAgentsAreNotHeldUp() {
        steps.apply(tool("t", "a"), agent("coder", "Tool/t"), extension("missing", "java:missing"),
                using(agent("other", "Tool/t"), "missing", config -> {}));

        assertThat(steps.names()).containsExactly("t__a");
    }

    @Test
    void extensionsOfTheAgentRuntimeAndThoseAroundCallsHoldUpNothing() {
        steps.code("calls", (registrar, config) -> registrar.toolCall((ctx, next) -> next.proceed()));
        ObjectNode agent = using(using(using(agent("coder", "Tool/t"), "script", config -> {}), "calls", config -> {}),
                "logging", config -> {});
        agent.withObject("spec").withArray("extensions").addObject().putObject("ref").put("kind", "Extension")
                .put("name", "message-window").put("package", "@goondan/base");

        assertThat(steps.apply(tool("t", "a"), agent, extension("script", "./extensions/x.ts"),
                extension("calls", "java:calls"), extension("logging", "builtin:logging")).names())
                .containsExactly("t__a");
        assertThat(steps.extensions().problems()).isEmpty();
    }

    @Test
    void whatDidNotChangeKeepsItsModuleAndWhatDidIsClosed() {
        steps.code("keeping", new Keeping());
        ObjectNode[] first = {tool("t", "a"), extension("keeping", "java:keeping"),
                using(agent("coder", "Tool/t"), "keeping", config -> config.put("keep", "t__a"))};
        steps.apply(first);
        steps.apply(first[0], first[1], first[2], tool("other", "x"));
        assertThat(log).containsExactly("register t__a");

        steps.apply(tool("t", "a"), extension("keeping", "java:keeping"),
                using(agent("coder", "Tool/t"), "keeping", config -> config.put("keep", "t__b")));
        assertThat(log).containsExactly("register t__a", "register t__b", "close");
    }

    @Test
    void aReplacedModuleClosesAfterTheStepThatUsesIt() {
        steps.code("keeping", new Keeping());
        steps.apply(tool("t", "a"), extension("keeping", "java:keeping"),
                using(agent("coder", "Tool/t"), "keeping", config -> config.put("keep", "t__a")));

        try (StepExtensions.Acquired held = steps.extensions().acquire("coder")) {
            steps.apply(agent("coder"));
            assertThat(held.resources().bundle("acme").orElseThrow().tool("t")).isPresent();
            assertThat(log).containsExactly("register t__a");
        }
        assertThat(log).containsExactly("register t__a", "close");
        steps.extensions().close();
        assertThat(log).hasSize(2);
    }

    @Test
    void aModuleWhoseRegistrationThrowsIsClosedAndShowsNothing() {
        steps.code("failing", new ExtensionModule() {
            @Override
            public void register(ExtensionRegistrar registrar, ObjectNode config) {
                registrar.step((ctx, next) -> next.proceed());
                throw new NoClassDefFoundError("com/acme/Missing");
            }

            @Override
            public void close() {
                log.add("close");
            }
        });

        assertThat(steps.apply(tool("t", "a"), extension("failing", "java:failing"),
                using(agent("coder", "Tool/t"), "failing", config -> {})).names()).isEmpty();
        assertThat(steps.extensions().problems().get("acme/failing")).contains("com/acme/Missing");
        assertThat(log).containsExactly("close");
    }
}
