package dev.toolfleet.testkit;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/// Finds files that calls left in the system's folder for temporary files. Other processes use that folder too, so a
/// tool is reported only when each of several calls left a file there.
final class StrayFiles {
    private final Path folder;
    private final Path own;
    /// Beginnings of the names of the fleet's own folders there, which others make while a tool is tested.
    private static final Set<String> OWN = Set.of("toolfleet-workdir-", "toolfleet-host-");

    private final List<Set<Path>> perCall = new ArrayList<>();
    private Set<Path> before;

    StrayFiles(Path folder, Path own) {
        this.folder = folder;
        this.own = own;
        this.before = Folders.entries(folder);
    }

    void beginCall() {
        before = Folders.entries(folder);
    }

    void endCall() {
        Set<Path> left = new TreeSet<>(Folders.entries(folder));
        left.removeAll(before);
        left.remove(own);
        left.removeIf(path -> OWN.stream().anyMatch(path.getFileName().toString()::startsWith));
        perCall.add(left);
    }

    /// Returns the calls' files that still exist.
    List<Path> left() {
        List<Set<Path>> there = perCall.stream().map(StrayFiles::existing).toList();
        if (there.size() < 2 || there.stream().anyMatch(Set::isEmpty))
            return List.of();
        return there.stream().flatMap(Set::stream).sorted().toList();
    }

    private static Set<Path> existing(Set<Path> paths) {
        Set<Path> there = new TreeSet<>(paths);
        there.removeIf(path -> !Files.exists(path));
        return there;
    }
}
