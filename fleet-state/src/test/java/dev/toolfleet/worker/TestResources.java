package dev.toolfleet.worker;

import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;
import java.util.stream.Stream;

import dev.toolfleet.bundle.EntryKind;
import dev.toolfleet.bundle.OperatorDenial;
import dev.toolfleet.bundle.ToolSpec;
import dev.toolfleet.json.Json;
import dev.toolfleet.loading.ModuleLoader;
import dev.toolfleet.middleware.ExtensionModule;
import dev.toolfleet.resources.BundleSigner;
import dev.toolfleet.resources.OperatorSwitch;
import dev.toolfleet.resources.ResourceTable;
import dev.toolfleet.resources.RevisionPlan;
import dev.toolfleet.tool.ToolModule;
import dev.toolfleet.wire.ResourceRecord;
import dev.toolfleet.wire.ToolRef;
import dev.toolfleet.wire.WireCodec;
import dev.toolfleet.worker.registry.RegisteredTool;
import dev.toolfleet.worker.registry.ToolRegistry;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

import static java.util.Objects.requireNonNull;

/// Declarations for tests, and a topic from which a registry reads them.
public final class TestResources {
    private static final WireCodec<ResourceRecord> CODEC = WireCodec.of(ResourceRecord.class);

    private final ResourceTable topic = new ResourceTable();
    private @Nullable BundleSigner signer;

    /// From now on revisions are signed; null for no more.
    public void sign(@Nullable BundleSigner by) {
        signer = by;
    }

    /// Makes `bundle` consist of the resources, as its next revision.
    public List<RevisionPlan.Entry> plan(String bundle, ObjectNode... resources) {
        RevisionPlan plan = RevisionPlan.of(bundle,
                Stream.of(resources).map(resource -> new RevisionPlan.Declared(resource, Map.of())).toList(), topic,
                signer);
        plan.entries().forEach(entry -> topic.apply(entry.key(), entry.value()));
        return plan.entries();
    }

    /// The same, read by a registry and loaded.
    public void apply(ToolRegistry registry, String bundle, ObjectNode... resources) {
        begin(registry, bundle, resources);
        awaitLoaded(registry);
    }

    /// Waits until no bundle is being loaded.
    public static void awaitLoaded(ToolRegistry registry) {
        try {
            registry.awaitLoaded();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /// The same, read by a registry, which begins to load it.
    public void begin(ToolRegistry registry, String bundle, ObjectNode... resources) {
        plan(bundle, resources).forEach(entry -> registry.apply(entry.key(),
                entry.value() == null ? null : CODEC.write(entry.value())));
    }

    /// Removes the bundle's active revision, as a tombstone does.
    public void remove(ToolRegistry registry, String bundle) {
        String active = RevisionPlan.of(bundle, List.of(), topic).entries().getLast().key();
        topic.apply(active, null);
        registry.apply(active, null);
    }

    /// Switches tools off, as an operator does.
    public void deny(ToolRegistry registry, OperatorDenial denial) {
        OperatorSwitch.deny(denial, topic, denial.since()).entries().forEach(entry -> {
            topic.apply(entry.key(), entry.value());
            registry.apply(entry.key(), entry.value() == null ? null : CODEC.write(entry.value()));
        });
    }

    /// A registry whose one tool, `t__run`, is this module.
    public static ToolRegistry registry(ToolModule module, boolean idempotent) {
        return registry(module, idempotent, InstantSource.system(), () -> {});
    }

    /// Returns a registry with another clock and a listener for changes.
    public static ToolRegistry registry(ToolModule module, boolean idempotent, InstantSource clock,
            Runnable changed) {
        ObjectNode tool = tool("t", TestResources.class, "run");
        if (idempotent)
            export(tool, "run").putObject("annotations").put("idempotent", true);
        ToolRegistry registry = new ToolRegistry(loader(() -> module), List.of(), clock, changed);
        new TestResources().apply(registry, "acme", tool);
        return registry;
    }

    /// A registry whose one tool, `t__run`, is loaded once `gate` is open.
    public static ToolRegistry loading(ToolModule module, CountDownLatch gate) {
        return loading(module, gate, () -> {});
    }

    /// Returns a loading registry with a listener for changes.
    public static ToolRegistry loading(ToolModule module, CountDownLatch gate, Runnable changed) {
        ToolRegistry registry = new ToolRegistry(loader(() -> {
            try {
                gate.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            return module;
        }), List.of(), InstantSource.system(), changed);
        new TestResources().begin(registry, "acme", tool("t", TestResources.class, "run"));
        return registry;
    }

    private static ModuleLoader loader(Supplier<ToolModule> module) {
        return new ModuleLoader() {
            @Override
            public ToolModule tool(String bundle, ToolSpec spec, Map<String, String> files) {
                return module.get();
            }

            @Override
            public ExtensionModule extension(String bundle, EntryKind entry, Map<String, String> files) {
                throw new UnsupportedOperationException();
            }
        };
    }

    /// A registry whose one tool, `t__run`, has its output checked.
    public static ToolRegistry checked(ToolModule module, String outputSchema) {
        ObjectNode tool = tool("t", TestResources.class, "run");
        ObjectNode export = export(tool, "run").put("validateOutput", true);
        export.set("outputSchema", Json.MAPPER.readTree(outputSchema));
        export.putObject("annotations").put("idempotent", true);
        ToolRegistry registry = new ToolRegistry(loader(() -> module), List.of(), InstantSource.system(), () -> {});
        new TestResources().apply(registry, "acme", tool, agent("coder", "Tool/t"));
        return registry;
    }

    /// A registered export that answers nothing.
    public static RegisteredTool registered(boolean idempotent) {
        return requireNonNull(registry(() -> Map.of("run", (ctx, input) -> null), idempotent)
                .acquire(new ToolRef("acme", "t", "run")));
    }

    /// A registered export that answers nothing and may end with the same result any number of times in a turn.
    public static RegisteredTool repeating() {
        ObjectNode tool = tool("t", TestResources.class, "run");
        export(tool, "run").put("mayRepeat", true);
        ToolRegistry registry = new ToolRegistry(loader(() -> () -> Map.of("run", (ctx, input) -> null)), List.of(),
                InstantSource.system(), () -> {});
        new TestResources().apply(registry, "acme", tool);
        return requireNonNull(registry.acquire(new ToolRef("acme", "t", "run")));
    }

    /// A registered export that answers nothing and accesses sensitive data.
    public static RegisteredTool sensitive() {
        ObjectNode tool = tool("t", TestResources.class, "run");
        export(tool, "run").put("accessesSensitiveData", true);
        ToolRegistry registry = new ToolRegistry(loader(() -> () -> Map.of("run", (ctx, input) -> null)), List.of(),
                InstantSource.system(), () -> {});
        new TestResources().apply(registry, "acme", tool);
        return requireNonNull(registry.acquire(new ToolRef("acme", "t", "run")));
    }

    /// A registered export that answers nothing and reaches beyond the fleet.
    public static RegisteredTool openWorld() {
        ObjectNode tool = tool("t", TestResources.class, "run");
        export(tool, "run").putObject("annotations").put("openWorld", true);
        ToolRegistry registry = new ToolRegistry(loader(() -> () -> Map.of("run", (ctx, input) -> null)), List.of(),
                InstantSource.system(), () -> {});
        new TestResources().apply(registry, "acme", tool);
        return requireNonNull(registry.acquire(new ToolRef("acme", "t", "run")));
    }

    /// A registered export that answers nothing and waits for a person's access to the OAuthApp `chat`.
    public static RegisteredTool authorized() {
        ObjectNode tool = tool("t", TestResources.class, "run");
        tool.withObject("spec").putObject("auth").put("oauthAppRef", "OAuthApp/chat").put("onMissing", "wait");
        ToolRegistry registry = new ToolRegistry(loader(() -> () -> Map.of("run", (ctx, input) -> null)), List.of(),
                InstantSource.system(), () -> {});
        new TestResources().apply(registry, "acme", tool);
        return requireNonNull(registry.acquire(new ToolRef("acme", "t", "run")));
    }

    /// A Tool of a class on the class path.
    public static ObjectNode tool(String name, Class<?> module, String... exports) {
        ObjectNode tool = resource("Tool", name);
        ArrayNode list = tool.putObject("spec").put("entry", "java:" + module.getName()).putArray("exports");
        for (String export : exports)
            list.addObject().put("name", export);
        return tool;
    }

    /// The declaration of an export of a [#tool].
    public static ObjectNode export(ObjectNode tool, String name) {
        for (var export : tool.path("spec").path("exports")) {
            if (export.path("name").asString().equals(name))
                return (ObjectNode) export;
        }
        throw new IllegalArgumentException(name);
    }

    /// An Agent that lists tools.
    public static ObjectNode agent(String name, String... refs) {
        ObjectNode agent = resource("Agent", name);
        ArrayNode tools = agent.putObject("spec").putArray("tools");
        for (String ref : refs)
            tools.addObject().put("ref", ref);
        return agent;
    }

    /// An Extension of a class on the class path.
    public static ObjectNode extension(String name, Class<?> module) {
        ObjectNode extension = resource("Extension", name);
        extension.putObject("spec").put("entry", "java:" + module.getName());
        return extension;
    }

    /// An empty resource.
    public static ObjectNode resource(String kind, String name) {
        ObjectNode resource = Json.MAPPER.createObjectNode().put("apiVersion", "goondan.ai/v1").put("kind", kind);
        resource.putObject("metadata").put("name", name);
        return resource;
    }
}
