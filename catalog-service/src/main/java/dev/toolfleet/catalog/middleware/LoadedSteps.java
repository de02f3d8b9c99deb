package dev.toolfleet.catalog.middleware;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import dev.toolfleet.bundle.EntryKind;
import dev.toolfleet.bundle.ExtensionSpec;
import dev.toolfleet.loading.ListedExtension;
import dev.toolfleet.loading.LoadedModule;
import dev.toolfleet.loading.ModuleLoader;
import dev.toolfleet.middleware.ExtensionModule;
import dev.toolfleet.middleware.ExtensionRegistrar;
import dev.toolfleet.middleware.StepMemory;
import dev.toolfleet.middleware.StepMiddleware;
import dev.toolfleet.middleware.StepMiddleware.OnFailure;
import dev.toolfleet.middleware.ToolCallMiddleware;
import dev.toolfleet.wire.ResourceRecord;
import tools.jackson.databind.node.ObjectNode;

/// Layers and memories that one Extension in one agent's list registered for steps; empty when its layers lie around
/// calls.
record LoadedSteps(LoadedModule<ExtensionModule> module, List<StepLayer> layers, List<StepLayers.Memory> memories) {
    LoadedSteps {
        layers = List.copyOf(layers);
        memories = List.copyOf(memories);
    }

    /// Inputs of a module: with equal inputs it may stay.
    ///
    /// @param place in the agent's list
    record Source(String agent, int place, String bundle, ObjectNode resource, Map<String, String> files,
            ObjectNode config) {
        static Source of(String agent, int place, ListedExtension listed) {
            ResourceRecord record = listed.record();
            return new Source(agent, place, record.bundle(), record.resource(), record.files(),
                    listed.config(ExtensionSpec.of(record.resource())));
        }

        private ExtensionSpec spec() {
            return ExtensionSpec.of(resource);
        }

        /// True for JavaScript and TypeScript, which only the agent runtime runs.
        boolean isOfTheAgentRuntime() {
            return spec().entryKind() instanceof EntryKind.Script;
        }
    }

    /// Makes the module and lets it register.
    static LoadedSteps load(Source source, ModuleLoader loader) {
        ExtensionSpec spec = source.spec();
        String name = source.bundle() + "/" + spec.name();
        LoadedModule<ExtensionModule> module = new LoadedModule<>(name,
                loader.extension(source.bundle(), spec.entryKind(), source.files()));
        Registrar registrar = new Registrar(name);
        try {
            module.module().register(registrar, source.config().deepCopy());
        } catch (Throwable e) {
            module.release();
            throw e;
        }
        return new LoadedSteps(module, registrar.layers, registrar.memories);
    }

    private static final class Registrar implements ExtensionRegistrar {
        private final String extension;
        private final List<StepLayer> layers = new ArrayList<>();
        private final List<StepLayers.Memory> memories = new ArrayList<>();

        Registrar(String extension) {
            this.extension = extension;
        }

        @Override
        public void toolCall(int priority, ToolCallMiddleware middleware) {
            // Only workers run these.
        }

        @Override
        public void step(int priority, OnFailure onFailure, StepMiddleware middleware) {
            layers.add(new StepLayer(extension, priority, onFailure, middleware));
        }

        @Override
        public void remember(String toolName, StepMemory memory) {
            memories.add(new StepLayers.Memory(extension, toolName, memory));
        }
    }
}
