package dev.toolfleet.loading;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import dev.toolfleet.bundle.BuiltIns;
import dev.toolfleet.bundle.ExtensionSpec;
import dev.toolfleet.bundle.ExtensionUse;
import dev.toolfleet.bundle.Kinds;
import dev.toolfleet.bundle.Ref;
import dev.toolfleet.resources.FleetResources;
import dev.toolfleet.wire.ResourceRecord;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// An Extension in the list of an agent or of the fleet.
///
/// @param where the name for logs and problems: the owner of the list, and the Extension's name
/// @param declared empty when no bundle declares an Extension of that name
/// @param overlay laid over the Extension's own configuration
public record ListedExtension(String where, Optional<ResourceRecord> declared, ObjectNode overlay) {
    /// Returns the Extensions of an agent's list, in order. A reference means the package that it names, else the
    /// bundle that holds it, else the built-in one. Leaves out Goondan's Extensions that only its runtime has.
    ///
    /// @param bundle the agent's
    public static List<ListedExtension> of(FleetResources resources, String bundle, List<ExtensionUse> uses) {
        List<ListedExtension> listed = new ArrayList<>();
        for (ExtensionUse use : uses) {
            Optional<ResourceRecord> declared = resolve(resources, bundle, use.ref());
            if (declared.isPresent() || !isOfTheAgentRuntime(use.ref()))
                listed.add(new ListedExtension(bundle + "/" + use.ref().name(), declared, use.config()));
        }
        return listed;
    }

    /// Returns the Extensions that the fleet's settings list by name, each from the first bundle that has it.
    public static List<ListedExtension> ofFleet(FleetResources resources, List<String> names) {
        return names.stream().map(name -> new ListedExtension("fleet/" + name, resources.bundles().values().stream()
                .flatMap(bundle -> bundle.find(Kinds.EXTENSION, name).stream()).findFirst(),
                JsonNodeFactory.instance.objectNode())).toList();
    }

    /// The declaration.
    ///
    /// @throws ModuleLoadException if no bundle declares it
    public ResourceRecord record() {
        return declared.orElseThrow(() -> new ModuleLoadException("no Extension of that name is applied"));
    }

    /// Returns the configuration in effect: the Extension's own with the overlay.
    public ObjectNode config(ExtensionSpec spec) {
        ObjectNode config = spec.config().deepCopy();
        config.setAll(overlay);
        return config;
    }

    private static boolean isOfTheAgentRuntime(Ref ref) {
        return (ref.packageName() == null || BuiltIns.PACKAGES.contains(ref.packageName()))
                && BuiltIns.RUNTIME_EXTENSIONS.contains(ref.name());
    }

    private static Optional<ResourceRecord> resolve(FleetResources resources, String owner, Ref ref) {
        String named = ref.packageName();
        if (named != null) {
            String bundle = BuiltIns.PACKAGES.contains(named) ? FleetResources.BUILT_IN : named;
            return resources.bundle(bundle).flatMap(found -> found.find(Kinds.EXTENSION, ref.name()));
        }
        return resources.bundle(owner).flatMap(found -> found.find(Kinds.EXTENSION, ref.name()))
                .or(() -> resources.bundle(FleetResources.BUILT_IN)
                        .flatMap(found -> found.find(Kinds.EXTENSION, ref.name())));
    }
}
