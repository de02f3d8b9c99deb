package dev.toolfleet.worker.registry;

import java.util.Map;

/// The extensions of one moment.
///
/// @param uses by who lists them and their place there
/// @param layers around the calls of each agent, and under the empty name those of calls that name none
/// @param problems what could not be loaded and why, by `bundle/Extension`
record LoadedExtensions(Map<String, LoadedExtension> uses, Map<String, Layers> layers, Map<String, String> problems) {
    static final LoadedExtensions NONE = new LoadedExtensions(Map.of(), Map.of(), Map.of());

    /// Copies the maps.
    LoadedExtensions {
        uses = Map.copyOf(uses);
        layers = Map.copyOf(layers);
        problems = Map.copyOf(problems);
    }

    /// Ends every use that `now` no longer has.
    void closeUnused(LoadedExtensions now) {
        uses.forEach((where, use) -> {
            if (now.uses.get(where) != use)
                use.close();
        });
    }
}
