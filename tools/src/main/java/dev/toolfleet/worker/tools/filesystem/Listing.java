package dev.toolfleet.worker.tools.filesystem;

import java.io.IOException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;

import dev.toolfleet.json.Json;
import dev.toolfleet.worker.tools.args.HeldFolder;
import dev.toolfleet.worker.tools.args.JsonText;
import dev.toolfleet.worker.tools.args.WorkPaths;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/// Collects the entries of a folder, never through a link, and stops at a bound.
final class Listing {
    /// Names read of one folder before they are sorted: enough for every honest folder, and a bound for the others.
    private static final int MAX_NAMES = 100_000;
    /// Most bytes that all entries of a result take together, so that they fit into it.
    static final int MAX_ENCODED_BYTES = 1_500_000;
    /// Bytes of an entry beside its name and path: field names, type, size and punctuation.
    private static final int FRAMING_BYTES = 72;

    private final WorkPaths paths;
    private final boolean recursive;
    private final boolean includeDirs;
    private final boolean includeFiles;
    private final int maxEntries;
    private final List<Entry> entries = new ArrayList<>();
    private final Deque<Path> folders = new ArrayDeque<>();
    private int encoded;
    private boolean truncated;
    private int unreadable;

    Listing(WorkPaths paths, boolean recursive, boolean includeDirs, boolean includeFiles, int maxEntries) {
        this.paths = paths;
        this.recursive = recursive;
        this.includeDirs = includeDirs;
        this.includeFiles = includeFiles;
        this.maxEntries = maxEntries;
    }

    /// One file or folder.
    record Entry(Path path, boolean directory, long size) {
        private String name() {
            return String.valueOf(path.getFileName());
        }

        ObjectNode json() {
            ObjectNode json = Json.MAPPER.createObjectNode().put("name", name()).put("path", path.toString())
                    .put("type", directory ? "dir" : "file");
            if (!directory)
                json.put("size", size);
            return json;
        }

        /// Returns an upper bound of its bytes in a result.
        private int encodedSize() {
            return FRAMING_BYTES + JsonText.size(name()) + JsonText.size(path.toString());
        }
    }

    /// Reads the folder; entries are sorted by path.
    ///
    /// @throws InterruptedException when the call was cancelled meanwhile
    List<Entry> of(Path folder) throws IOException, InterruptedException {
        addAll(folder);
        while (!folders.isEmpty() && !truncated) {
            if (Thread.interrupted())
                throw new InterruptedException();
            try {
                addAll(folders.removeLast());
            } catch (IOException e) {
                unreadable++;
            }
        }
        entries.sort(Comparator.comparing(entry -> entry.path().toString()));
        return entries;
    }

    /// True if there was more than the bound.
    boolean truncated() {
        return truncated;
    }

    /// Number of folders that could not be read.
    int unreadable() {
        return unreadable;
    }

    private void addAll(Path folder) throws IOException {
        List<Path> below = new ArrayList<>();
        try (HeldFolder held = paths.hold(folder)) {
            List<Path> names = held.names(MAX_NAMES);
            boolean more = names.size() > MAX_NAMES;
            for (Path name : names.subList(0, Math.min(names.size(), MAX_NAMES))) {
                BasicFileAttributes attributes = attributes(held, name);
                if (attributes == null)
                    continue;
                Path child = folder.resolve(name);
                if (attributes.isDirectory() && recursive)
                    below.add(child);
                if (isWanted(attributes) && !add(new Entry(child, attributes.isDirectory(), attributes.size())))
                    return;
            }
            truncated |= more;
        }
        below.reversed().forEach(folders::addLast);
    }

    private boolean isWanted(BasicFileAttributes attributes) {
        return (attributes.isDirectory() && includeDirs) || (attributes.isRegularFile() && includeFiles);
    }

    /// Adds an entry unless there is no room for it.
    private boolean add(Entry entry) {
        encoded += entry.encodedSize();
        truncated |= entries.size() == maxEntries || encoded > MAX_ENCODED_BYTES;
        if (!truncated)
            entries.add(entry);
        return !truncated;
    }

    private static @Nullable BasicFileAttributes attributes(HeldFolder folder, Path name) {
        try {
            return folder.attributes(name);
        } catch (IOException e) {
            return null; // Deleted meanwhile.
        }
    }
}
