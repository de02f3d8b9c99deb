package dev.toolfleet.cli.contract;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

import dev.toolfleet.bundle.BundleFiles;

/// Content of a workdir.
///
/// @param entries for each path below the workdir the digest of a file, or its kind
record WorkdirState(SortedMap<String, String> entries) {
    static WorkdirState of(Path workdir) throws IOException {
        SortedMap<String, String> entries = new TreeMap<>();
        try (Stream<Path> all = Files.walk(workdir)) {
            for (Path path : (Iterable<Path>) all::iterator) {
                if (!path.equals(workdir))
                    entries.put(workdir.relativize(path).toString(), content(path));
            }
        }
        return new WorkdirState(entries);
    }

    private static String content(Path path) throws IOException {
        if (Files.isSymbolicLink(path))
            return "link to " + Files.readSymbolicLink(path);
        if (Files.isDirectory(path))
            return "folder";
        return Files.isRegularFile(path) ? BundleFiles.digest(path) : "other";
    }

    /// Returns the paths that are new, gone or different in a later state.
    List<String> changes(WorkdirState later) {
        List<String> changes = new ArrayList<>();
        later.entries.forEach((path, content) -> {
            String was = entries.get(path);
            if (was == null)
                changes.add(path + " (new)");
            else if (!was.equals(content))
                changes.add(path + " (changed)");
        });
        entries.keySet().stream().filter(path -> !later.entries.containsKey(path))
                .forEach(path -> changes.add(path + " (gone)"));
        return changes;
    }
}
