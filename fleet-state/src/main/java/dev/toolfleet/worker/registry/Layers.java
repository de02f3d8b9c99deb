package dev.toolfleet.worker.registry;

import java.util.List;

import dev.toolfleet.loading.LoadedModule;
import dev.toolfleet.middleware.ExtensionModule;

/// Layers around the calls of one agent, outermost first. A caller must bracket each run with [#acquire] and
/// [#release].
public final class Layers {
    /// No layer.
    public static final Layers NONE = new Layers(List.of(), List.of());

    private final List<Layer> outermostFirst;
    private final List<LoadedModule<ExtensionModule>> modules;

    Layers(List<Layer> outermostFirst, List<LoadedModule<ExtensionModule>> modules) {
        this.outermostFirst = List.copyOf(outermostFirst);
        this.modules = List.copyOf(modules);
    }

    /// Returns the layers, outermost first.
    public List<Layer> outermostFirst() {
        return outermostFirst;
    }

    /// Keeps the modules open. Returns false if one is closed already and the layers must be looked up again.
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

    /// Ends a use; at the last one of a replaced revision the modules close.
    public void release() {
        modules.forEach(LoadedModule::release);
    }
}
