package dev.toolfleet.catalog;

import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import dev.toolfleet.bundle.EntryKind;
import dev.toolfleet.bundle.ToolSpec;
import dev.toolfleet.catalog.app.CatalogModules;
import dev.toolfleet.catalog.assemble.AgentCatalog;
import dev.toolfleet.catalog.assemble.CatalogAssembly;
import dev.toolfleet.catalog.assemble.StepPolicy;
import dev.toolfleet.catalog.middleware.StepExtensions;
import dev.toolfleet.catalog.telemetry.StepFaults;
import dev.toolfleet.json.Json;
import dev.toolfleet.loading.ModuleLoadException;
import dev.toolfleet.loading.ModuleLoader;
import dev.toolfleet.middleware.ExtensionModule;
import dev.toolfleet.middleware.StepMiddleware;
import dev.toolfleet.tool.ToolModule;
import dev.toolfleet.wire.StepStarted;
import dev.toolfleet.wire.ToolCatalogItem;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// The catalogs of steps, made without Kafka: bundle `acme`, with code for its Extensions that a test supplies.
public final class Steps {
    private final Bundles bundles = new Bundles();
    private final Map<String, ExtensionModule> code = new HashMap<>();
    private final Map<String, JsonNode> facts = new HashMap<>();
    private final StepFaults faults = new StepFaults(() -> Instant.EPOCH);
    private final StepExtensions extensions = new StepExtensions(new Code());
    private final CatalogAssembly assembly;
    private @Nullable ObjectNode hints;
    private Set<String> labels = Set.of();
    private Instant now = Instant.EPOCH;

    private final class Code implements ModuleLoader {
        private final ModuleLoader builtIn = CatalogModules.of(Path::of);

        @Override
        public ToolModule tool(String bundle, ToolSpec spec, Map<String, String> files) {
            throw new UnsupportedOperationException();
        }

        @Override
        public ExtensionModule extension(String bundle, EntryKind entry, Map<String, String> files) {
            if (!(entry instanceof EntryKind.JavaClass(String name)))
                return builtIn.extension(bundle, entry, files);
            ExtensionModule module = code.get(name);
            if (module == null)
                throw new ModuleLoadException("no class " + name);
            return module;
        }
    }

    /// Steps that no policy judges.
    public Steps() {
        this(StepPolicy.ALLOW_ALL);
    }

    /// Steps under a policy.
    public Steps(StepPolicy policy) {
        assembly = new CatalogAssembly(extensions, policy, faults);
    }

    /// The code behind `java:NAME`.
    public Steps code(String name, ExtensionModule module) {
        code.put(name, module);
        return this;
    }

    /// An extension with one layer.
    public Steps layer(String name, int priority, StepMiddleware layer) {
        return code(name, (registrar, config) -> registrar.step(priority, layer));
    }

    /// Makes the bundle consist of these.
    public Steps apply(ObjectNode... resources) {
        return applyTo("acme", resources);
    }

    /// Makes another bundle consist of these.
    public Steps applyTo(String bundle, ObjectNode... resources) {
        bundles.apply(bundle, resources);
        extensions.reload(bundles.view());
        return this;
    }

    /// Switches tools off until then, as an operator does.
    public Steps deny(String pattern, Instant until) {
        bundles.deny(pattern, now, until);
        extensions.reload(bundles.view());
        return this;
    }

    /// The next steps come at that time.
    public Steps at(Instant time) {
        now = time;
        return this;
    }

    /// Sets an extension's memory, in bundle `acme`.
    public Steps remember(String extension, String tool, JsonNode memory) {
        facts.put("acme/" + extension + " " + tool, memory);
        return this;
    }

    /// Sets the agent runtime's hints for the next steps.
    public Steps hints(ObjectNode said) {
        hints = said;
        return this;
    }

    /// Sets the labels of the instance for the next steps.
    public Steps labels(String... names) {
        labels = Set.of(names);
        return this;
    }

    /// The next step of agent `coder`.
    public AgentCatalog step() {
        StepStarted started = new StepStarted("i", "coder", "t2", "s2", 2, "u", "c", hints);
        return assembly.of(started,
                () -> (extension, tool) -> Optional.ofNullable(facts.get(extension + " " + tool)),
                () -> labels, now);
    }

    /// Its tools.
    public List<ToolCatalogItem> items() {
        List<ToolCatalogItem> items = new ArrayList<>();
        Json.MAPPER.readTree(step().content().json())
                .forEach(item -> items.add(Json.MAPPER.treeToValue(item, ToolCatalogItem.class)));
        return items;
    }

    /// The names of its tools.
    public List<String> names() {
        return items().stream().map(ToolCatalogItem::name).toList();
    }

    /// Number of failures, by extension.
    public Map<String, Long> faults() {
        return faults.counts();
    }

    /// The layers of agents.
    public StepExtensions extensions() {
        return extensions;
    }
}
