package dev.toolfleet.worker.registry;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

import dev.toolfleet.loading.LoadedModule;
import dev.toolfleet.middleware.ExtensionModule;
import dev.toolfleet.worker.registry.ExtensionPlan.Use;
import org.jspecify.annotations.Nullable;

/// Layers around the calls of each agent, in order: the fleet's outside, then the agent's. Within each, ascending
/// priority is outer and equal ones keep their order. Immutable.
///
/// @param byAgent the empty name holds the layers of calls that name no agent, or one that no bundle declares
/// @param problems the reason for each extension that is not loaded, by `bundle/Extension`
record ExtensionLayers(Map<String, Layers> byAgent, Map<String, String> problems) {
    static final ExtensionLayers NONE = new ExtensionLayers(Map.of(), Map.of());

    /// Copies the maps.
    ExtensionLayers {
        byAgent = Map.copyOf(byAgent);
        problems = Map.copyOf(problems);
    }

    /// Returns the layers of a plan.
    ///
    /// @param loads of uses that have a source
    static ExtensionLayers of(ExtensionPlan plan, Function<Use, ModuleLoad<LoadedExtension>> loads) {
        Map<String, String> problems = new HashMap<>();
        Map<String, Layers> byAgent = new HashMap<>();
        byAgent.put("", layers(plan.fleet(), List.of(), loads, problems));
        plan.agents().forEach((agent, own) -> byAgent.put(agent, layers(plan.fleet(), own, loads, problems)));
        return new ExtensionLayers(byAgent, problems);
    }

    private static Layers layers(List<Use> fleet, List<Use> own, Function<Use, ModuleLoad<LoadedExtension>> loads,
            Map<String, String> problems) {
        List<Layer> ordered = new ArrayList<>();
        List<LoadedModule<ExtensionModule>> modules = new ArrayList<>();
        for (List<Use> group : List.of(fleet, own)) {
            List<Layer> layers = new ArrayList<>();
            for (Use use : group) {
                LoadedExtension extension = use.source() == null ? null : loads.apply(use).module();
                if (extension == null) {
                    String why = why(use, loads);
                    problems.put(use.where(), why);
                    layers.add(refusing(use.where(), why));
                } else {
                    modules.add(extension.module());
                    layers.addAll(extension.layers());
                }
            }
            layers.sort(Comparator.comparingInt(Layer::priority));
            ordered.addAll(layers);
        }
        return new Layers(ordered, modules);
    }

    private static String why(Use use, Function<Use, ModuleLoad<LoadedExtension>> loads) {
        @Nullable
        String problem = use.source() == null ? use.problem() : loads.apply(use).problem();
        return problem == null ? "it is being loaded" : problem;
    }

    /// Returns a layer that refuses calls. Otherwise: calls go around a missing extension that exists to stop them.
    private static Layer refusing(String where, String why) {
        return new Layer(where, Integer.MIN_VALUE, (ctx, next) -> {
            throw new IllegalStateException("extension '" + where + "' is not loaded: " + why);
        });
    }
}
