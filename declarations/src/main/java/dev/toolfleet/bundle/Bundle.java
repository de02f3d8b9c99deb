package dev.toolfleet.bundle;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Resources of one folder, in the order in which they were read. Of two with one kind and name the first counts.
public final class Bundle {
    private final Path folder;
    private final List<Resource> resources;
    private final Map<String, Resource> byId = new LinkedHashMap<>();

    /// @param folder the base of relative paths inside resources
    public Bundle(Path folder, List<Resource> resources) {
        this.folder = folder;
        this.resources = List.copyOf(resources);
        this.resources.forEach(resource -> byId.putIfAbsent(resource.id(), resource));
    }

    /// Returns the folder.
    public Path folder() {
        return folder;
    }

    /// Returns all resources, duplicates included.
    public List<Resource> resources() {
        return resources;
    }

    /// The resource of that kind and name.
    public Optional<Resource> find(String kind, String name) {
        return Optional.ofNullable(byId.get(kind + "/" + name));
    }

    /// All resources of a kind, each name once.
    public List<Resource> ofKind(String kind) {
        return byId.values().stream().filter(resource -> resource.kind().equals(kind)).toList();
    }

    /// The name of its Package, which is also the bundle's; empty when it has none.
    public Optional<String> packageName() {
        return resources.stream().filter(resource -> resource.kind().equals(Kinds.PACKAGE)).map(Resource::name)
                .findFirst();
    }
}
