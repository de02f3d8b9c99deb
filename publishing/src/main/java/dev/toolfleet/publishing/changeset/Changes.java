package dev.toolfleet.publishing.changeset;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

import dev.toolfleet.publishing.git.GitFile;
import org.jspecify.annotations.Nullable;

/// Differences of two states of a bundle's files, by their paths. Pure.
///
/// @param added with their content
/// @param changed with their new content
/// @param deleted their paths
record Changes(SortedMap<String, GitFile> added, SortedMap<String, GitFile> changed, SortedSet<String> deleted) {

    static Changes between(SortedMap<String, GitFile> before, SortedMap<String, GitFile> after) {
        SortedMap<String, GitFile> added = new TreeMap<>();
        SortedMap<String, GitFile> changed = new TreeMap<>();
        after.forEach((path, file) -> {
            GitFile old = before.get(path);
            if (old == null)
                added.put(path, file);
            else if (!old.equals(file))
                changed.put(path, file);
        });
        SortedSet<String> deleted = new TreeSet<>(before.keySet());
        deleted.removeAll(after.keySet());
        return new Changes(added, changed, deleted);
    }

    boolean isEmpty() {
        return added.isEmpty() && changed.isEmpty() && deleted.isEmpty();
    }

    /// All paths.
    SortedSet<String> paths() {
        SortedSet<String> paths = new TreeSet<>(deleted);
        paths.addAll(added.keySet());
        paths.addAll(changed.keySet());
        return paths;
    }

    /// Returns the paths of links that would be made.
    List<String> links() {
        return Stream.of(added, changed).flatMap(files -> files.entrySet().stream())
                .filter(file -> file.getValue().type() == GitFile.Type.LINK).map(Map.Entry::getKey).toList();
    }

    /// Returns the paths that others have changed meanwhile, to something else.
    ///
    /// @param base the state that these changes were made on
    /// @param head the state of now
    SortedSet<String> conflicts(SortedMap<String, GitFile> base, SortedMap<String, GitFile> head) {
        SortedSet<String> conflicts = new TreeSet<>();
        SortedMap<String, GitFile> wanted = on(base);
        for (String path : paths()) {
            GitFile now = head.get(path);
            if (!same(now, base.get(path)) && !same(now, wanted.get(path)))
                conflicts.add(path);
        }
        conflicts.addAll(foldersInTheWay(on(head).keySet()));
        return conflicts;
    }

    /// Returns added paths that are a folder of another path, or have a file as their folder.
    private SortedSet<String> foldersInTheWay(Collection<String> paths) {
        SortedSet<String> inTheWay = new TreeSet<>();
        for (String path : paths) {
            for (int slash = path.lastIndexOf('/'); slash > 0; slash = path.lastIndexOf('/', slash - 1)) {
                String folder = path.substring(0, slash);
                if (paths.contains(folder) && (added.containsKey(path) || added.containsKey(folder)))
                    inTheWay.add(added.containsKey(path) ? path : folder);
            }
        }
        return inTheWay;
    }

    private static boolean same(@Nullable GitFile one,
            @Nullable GitFile other) {
        return Objects.equals(one, other);
    }

    /// Returns a state with these changes made to it.
    SortedMap<String, GitFile> on(SortedMap<String, GitFile> state) {
        NavigableMap<String, GitFile> next = new TreeMap<>(state);
        deleted.forEach(next::remove);
        next.putAll(added);
        next.putAll(changed);
        return next;
    }
}
