package dev.toolfleet.worker.registry;

import java.lang.reflect.Proxy;
import java.security.KeyPair;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

import dev.toolfleet.bundle.EntryKind;
import dev.toolfleet.bundle.ToolSpec;
import dev.toolfleet.loading.ModuleLoader;
import dev.toolfleet.middleware.ExtensionModule;
import dev.toolfleet.middleware.ExtensionRegistrar;
import dev.toolfleet.middleware.ToolCallContext;
import dev.toolfleet.middleware.ToolReply;
import dev.toolfleet.resources.BundleKeys;
import dev.toolfleet.resources.BundleSigner;
import dev.toolfleet.resources.BundleTrust;
import dev.toolfleet.tool.ToolHandler;
import dev.toolfleet.tool.ToolModule;
import dev.toolfleet.wire.ToolRef;
import dev.toolfleet.worker.TestResources;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.NullNode;
import tools.jackson.databind.node.ObjectNode;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

class ToolRegistryTest {
    private static final ToolRef EXEC = new ToolRef("acme", "bash", "exec");
    /// A call that no layer may look at.
    private static final ToolCallContext UNREAD = (ToolCallContext) Proxy.newProxyInstance(
            ToolCallContext.class.getClassLoader(), new Class<?>[]{ToolCallContext.class}, (_, method, _) -> {
                throw new AssertionError(method.getName());
            });

    private final TestResources topic = new TestResources();
    private final Code code = new Code();
    private final List<String> changes = new CopyOnWriteArrayList<>();
    private final ToolRegistry registry = new ToolRegistry(code, List.of("outer"), InstantSource.system(),
            () -> changes.add("change"));

    /// Makes modules by the class that an entry names and writes down what becomes of them.
    private static final class Code implements ModuleLoader {
        private final List<String> log = new CopyOnWriteArrayList<>();
        private final Map<String, Throwable> failing = new ConcurrentHashMap<>();
        private final Map<String, Integer> made = new ConcurrentHashMap<>();

        @Override
        public ToolModule tool(String bundle, ToolSpec spec, Map<String, String> files) {
            String className = ((EntryKind.JavaClass) spec.entryKind()).className();
            String name = className + "#" + made.merge(className, 1, Integer::sum);
            log.add("made " + name);
            return new ToolModule() {
                @Override
                public void configure(ObjectNode config) {
                    sneak(failing.get("configure"));
                    log.add("configured " + name + " " + config);
                }

                @Override
                public Map<String, ToolHandler> handlers() {
                    sneak(failing.get("handlers"));
                    return Map.of("exec", (ctx, input) -> null);
                }

                @Override
                public void close() {
                    log.add("closed " + name);
                    sneak(failing.get("close"));
                }
            };
        }

        @Override
        public ExtensionModule extension(String bundle, EntryKind entry, Map<String, String> files) {
            String name = ((EntryKind.JavaClass) entry).className();
            return new ExtensionModule() {
                @Override
                public void register(ExtensionRegistrar registrar, ObjectNode config) {
                    registrar.toolCall(config.path("priority").asInt(0), (ctx, next) -> next.proceed());
                    sneak(failing.get("register " + name));
                }

                @Override
                public void close() {
                    log.add("closed " + name);
                }
            };
        }

        private static void sneak(@org.jspecify.annotations.Nullable Throwable thrown) {
            if (thrown instanceof Error error)
                throw error;
            if (thrown instanceof RuntimeException exception)
                throw exception;
        }
    }

    @Test
    void aDeclaredToolCanBeAcquired() {
        apply(tool("bash", "com.acme.Bash", "exec"), TestResources.agent("coder", "Tool/bash"));

        RegisteredTool tool = requireNonNull(registry.acquire(EXEC));
        assertThat(tool.export().name()).isEqualTo("exec");
        tool.release();
        assertThat(registry.acquire(new ToolRef("acme", "bash", "other"))).isNull();
        assertThat(registry.acquire(new ToolRef("other", "bash", "exec"))).isNull();
        assertThat(requireNonNull(registry.listedBy("coder", "bash__exec")).item().tool()).isEqualTo(EXEC);
        assertThat(registry.listedBy("nobody", "bash__exec")).isNull();
        assertThat(registry.named("bash__exec")).isNotNull();
        assertThat(registry.named("no such name")).isNull();
        assertThat(registry.revision("acme")).isEqualTo(1);
        await().until(() -> !changes.isEmpty());
    }

    @Test
    void aReplacedModuleClosesOnlyAfterItsRunningCall() {
        apply(tool("bash", "com.acme.One", "exec"));
        RegisteredTool running = requireNonNull(registry.acquire(EXEC));

        apply(tool("bash", "com.acme.Two", "exec"));
        assertThat(code.log).noneMatch(line -> line.startsWith("closed"));
        RegisteredTool next = requireNonNull(registry.acquire(EXEC));
        assertThat(next).isNotSameAs(running);

        running.release();
        awaitClosed("com.acme.One#1");
        next.release();
        assertThat(code.log).doesNotContain("closed com.acme.Two#1");
    }

    @Test
    void aToolThatDidNotChangeKeepsItsModule() {
        apply(tool("bash", "com.acme.One", "exec"));
        apply(tool("bash", "com.acme.One", "exec"), tool("git", "com.acme.Git", "exec"));

        assertThat(registry.revision("acme")).isEqualTo(2);
        assertThat(code.log).filteredOn(line -> line.startsWith("made")).containsExactly("made com.acme.One#1",
                "made com.acme.Git#1");
        assertThat(code.log).noneMatch(line -> line.startsWith("closed"));
    }

    @Test
    void aToolThatIsGoneIsClosed() {
        apply(tool("bash", "com.acme.One", "exec"), tool("git", "com.acme.Git", "exec"));
        apply(tool("git", "com.acme.Git", "exec"));

        assertThat(registry.acquire(EXEC)).isNull();
        awaitClosed("com.acme.One#1");
    }

    @Test
    @DisplayName("SKL-08: a tool that is unloaded while it runs finishes its call and takes no new one")
    void aToolThatIsGoneFinishesItsRunningCall() {
        apply(tool("bash", "com.acme.One", "exec"), tool("git", "com.acme.Git", "exec"));
        RegisteredTool running = requireNonNull(registry.acquire(EXEC));

        apply(tool("git", "com.acme.Git", "exec"));
        assertThat(registry.acquire(EXEC)).isNull();
        assertThat(code.log).noneMatch(line -> line.startsWith("closed"));

        running.release();
        awaitClosed("com.acme.One#1");
    }

    @Test
    void aBundleWhoseNameIsAPathIsReportedAndNothingOfItIsMade() {
        topic.apply(registry, "../evil", tool("bash", "com.acme.One", "exec"));

        assertThat(registry.problems()).containsOnlyKeys("../evil");
        assertThat(registry.acquire(new ToolRef("../evil", "bash", "exec"))).isNull();
        assertThat(code.log).isEmpty();
    }

    @Test
    void anUnsignedRevisionIsReportedAndTheSignedOneStays() {
        KeyPair keys = BundleKeys.generate();
        ToolRegistry careful = new ToolRegistry(code, BundleTrust.of(List.of(keys.getPublic())), List.of(),
                InstantSource.system(), () -> {});
        topic.sign(new BundleSigner(keys.getPrivate()));
        topic.apply(careful, "acme", tool("bash", "com.acme.One", "exec"));
        topic.sign(null);

        topic.apply(careful, "acme", tool("bash", "com.mallory.Two", "exec"));

        assertThat(careful.revision("acme")).isEqualTo(1);
        assertThat(careful.problems().get("acme")).contains("revision 2").contains("not signed");
        assertThat(careful.refusedBundles()).isEqualTo(1);
        assertThat(code.log).filteredOn(line -> line.startsWith("made")).containsExactly("made com.acme.One#1");
        topic.sign(new BundleSigner(keys.getPrivate()));
        topic.apply(careful, "acme", tool("bash", "com.acme.Three", "exec"));
        assertThat(careful.revision("acme")).isEqualTo(3);
        assertThat(careful.problems()).isEmpty();
    }

    @Test
    void aMissingHandlerIsReportedAndItsModuleClosed() {
        apply(tool("bash", "com.acme.One", "exec", "script"));

        assertThat(registry.problems().get("acme/bash")).contains("'script'").contains("exec");
        assertThat(registry.acquire(EXEC)).isNull();
        awaitClosed("com.acme.One#1");
    }

    @Test
    void whateverAModuleThrowsBreaksItsToolOnly() {
        code.failing.put("configure", new AssertionError("an Error in configure"));
        apply(tool("bash", "com.acme.One", "exec"));
        assertThat(registry.problems().get("acme/bash")).contains("an Error in configure");
        awaitClosed("com.acme.One#1");
        code.failing.clear();

        code.failing.put("close", new NoClassDefFoundError("in close"));
        apply(tool("bash", "com.acme.Two", "exec"));
        assertThat(registry.problems()).doesNotContainKey("acme/bash");
        RegisteredTool running = requireNonNull(registry.acquire(EXEC));
        apply(tool("bash", "com.acme.Three", "exec"));
        running.release();
        awaitClosed("com.acme.Two#1");
    }

    @Test
    void layersOfTheFleetLieAroundThoseOfTheAgent() {
        ObjectNode agent = TestResources.agent("coder");
        agent.withObject("spec").putArray("extensions").add("Extension/late").add("Extension/early");
        apply(extension("outer", 99), extension("late", 10), extension("early", 5), agent);

        Layers layers = registry.acquireLayers("coder");
        assertThat(layers.outermostFirst()).extracting(Layer::extension).containsExactly("outer", "early", "late");
        layers.release();
        assertThat(registry.acquireLayers("unknown").outermostFirst()).extracting(Layer::extension)
                .containsExactly("outer");
        assertThat(registry.acquireLayers(null).outermostFirst()).hasSize(1);
    }

    @Test
    void anExtensionThatFailsToRegisterIsReportedAndStopsTheCallsThatItWraps() {
        code.failing.put("register com.acme.early", new AssertionError("not today"));
        ObjectNode agent = TestResources.agent("coder");
        agent.withObject("spec").putArray("extensions").add("Extension/early");
        apply(extension("outer", 0), extension("early", 5), agent);

        List<Layer> layers = registry.acquireLayers("coder").outermostFirst();
        assertThat(layers).extracting(Layer::extension).containsExactly("outer", "acme/early");
        assertThatThrownBy(
                () -> layers.getLast().middleware().handle(UNREAD, () -> new ToolReply.Ok(NullNode.instance)))
                .hasMessageContaining("acme/early").hasMessageContaining("not today");
        assertThat(registry.problems().get("acme/early")).contains("not today");
    }

    @Test
    void extensionsOfTheAgentRuntimeStopNoCalls() {
        ObjectNode script = TestResources.extension("mine", ToolRegistryTest.class);
        script.withObject("spec").put("entry", "./extensions/mine.ts");
        ObjectNode agent = TestResources.agent("coder");
        agent.withObject("spec").putArray("extensions").add("Extension/mine").addObject().putObject("ref")
                .put("kind", "Extension").put("name", "context-message").put("package", "@goondan/base");
        apply(extension("outer", 0), script, agent);

        assertThat(registry.problems()).isEmpty();
        assertThat(registry.acquireLayers("coder").outermostFirst()).extracting(Layer::extension)
                .containsExactly("outer");
    }

    @Test
    void aFleetExtensionThatNobodyDeclaresIsReported() {
        apply(tool("bash", "com.acme.One", "exec"));

        assertThat(registry.problems().get("fleet/outer")).contains("no Extension of that name");
    }

    @Test
    void aNameIsReadOnlyWhenEveryBundleSaysSo() {
        ObjectNode reading = tool("bash", "com.acme.One", "exec");
        TestResources.export(reading, "exec").putObject("annotations").put("readOnly", true);
        apply(reading, extension("outer", 0));
        assertThat(registry.readOnly("bash__exec")).isTrue();

        topic.apply(registry, "other", tool("bash", "com.acme.One", "exec"));
        assertThat(registry.readOnly("bash__exec")).isFalse();
    }

    @Test
    void aToolOfV08IsFoundByItsDottedNameAlone() {
        ObjectNode old = tool("chatToolkit", "com.acme.One", "chat.post").put("apiVersion",
                "agents.example.io/v1alpha1");
        TestResources.export(old, "chat.post").putObject("annotations").put("readOnly", true);
        apply(old, TestResources.agent("talker", "Tool/chatToolkit"), extension("outer", 0));

        assertThat(registry.named("chat.post")).isNotNull();
        assertThat(registry.named("chatToolkit__chat.post")).isNull();
        assertThat(registry.listedBy("talker", "chat.post")).isNotNull();
        assertThat(registry.readOnly("chat.post")).isTrue();
    }

    @Test
    void aToolWhoseGroupIsNeverShownIsNoneOfItsAgent() {
        ObjectNode bash = tool("bash", "com.acme.One", "exec", "script");
        TestResources.export(bash, "exec").put("group", "secret");
        apply(bash, TestResources.agent("coder", "Tool/bash"), secretGroup("never"));
        assertThat(registry.listedBy("coder", "bash__exec")).isNull();
        assertThat(registry.listedBy("coder", "bash__script")).isNotNull();

        apply(bash, TestResources.agent("coder", "Tool/bash"), secretGroup("on-demand"));
        assertThat(registry.listedBy("coder", "bash__exec")).isNotNull();
    }

    private static ObjectNode secretGroup(String shown) {
        ObjectNode group = TestResources.resource("ToolGroup", "secret");
        group.putObject("spec").put("includeInPromptWhen", shown);
        return group;
    }

    @Test
    void closingWaitsForRunningCallsToo() {
        apply(tool("bash", "com.acme.One", "exec"));
        RegisteredTool running = requireNonNull(registry.acquire(EXEC));

        registry.close();
        assertThat(registry.acquire(EXEC)).isNull();
        assertThat(code.log).noneMatch(line -> line.startsWith("closed com.acme.One"));
        running.release();
        awaitClosed("com.acme.One#1");
    }

    private void awaitClosed(String module) {
        await().until(() -> code.log.contains("closed " + module));
    }

    private void apply(ObjectNode... resources) {
        topic.apply(registry, "acme", resources);
    }

    private static ObjectNode tool(String name, String className, String... exports) {
        ObjectNode tool = TestResources.tool(name, ToolRegistryTest.class, exports);
        tool.withObject("spec").put("entry", "java:" + className);
        return tool;
    }

    private static ObjectNode extension(String name, int priority) {
        ObjectNode extension = TestResources.extension(name, ToolRegistryTest.class);
        extension.withObject("spec").put("entry", "java:com.acme." + name).putObject("config").put("priority",
                priority);
        return extension;
    }
}
