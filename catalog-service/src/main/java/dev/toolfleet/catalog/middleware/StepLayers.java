package dev.toolfleet.catalog.middleware;

import java.util.List;

import dev.toolfleet.loading.LoadedModule;
import dev.toolfleet.middleware.ExtensionModule;
import dev.toolfleet.middleware.StepMemory;

/// Layers around the steps of one agent, outermost first, and the memories of its extensions.
public final class StepLayers {
    static final StepLayers NONE = new StepLayers(List.of(), List.of(), List.of());

    /// One extension's memory of one tool's results.
    ///
    /// @param extension as bundle and name
    /// @param tool the tool's full name
    public record Memory(String extension, String tool, StepMemory code) {}

    private final List<StepLayer> outermostFirst;
    private final List<Memory> memories;
    private final List<LoadedModule<ExtensionModule>> modules;

    StepLayers(List<StepLayer> outermostFirst, List<Memory> memories, List<LoadedModule<ExtensionModule>> modules) {
        this.outermostFirst = List.copyOf(outermostFirst);
        this.memories = List.copyOf(memories);
        this.modules = List.copyOf(modules);
    }

    List<StepLayer> outermostFirst() {
        return outermostFirst;
    }

    /// Returns the memories of the agent's extensions.
    public List<Memory> memories() {
        return memories;
    }

    /// Keeps the modules open; false when one is closed already and the layers must be looked up again.
    boolean acquire() {
        for (int i = 0; i < modules.size(); i++) {
            if (modules.get(i).acquire())
                continue;
            while (--i >= 0)
                modules.get(i).release();
            return false;
        }
        return true;
    }

    void release() {
        modules.forEach(LoadedModule::release);
    }
}
