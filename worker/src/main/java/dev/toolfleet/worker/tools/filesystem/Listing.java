package dev.toolfleet.worker.tools.filesystem;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;

import dev.toolfleet.json.Json;
import dev.toolfleet.worker.tools.args.JsonText;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/// Collects the entries of a folder, never through a link, and stops at a bound.
final class Listing {
    /// Names read of one folder before they are sorted: enough for every honest folder, and a bound for the others.
    private static final int MAX_NAMES = 100_000;
    /// What all entries together take at most in a result, so that they fit it.
    static final int MAX_ENCODED_BYTES = 1_500_000;
    /// What an entry takes beside its name and path: field names, type, size and punctuation.
    private static final int FRAMING_BYTES = 72;

    private final boolean recursive;
    private final boolean includeDirs;
    private final boolean includeFiles;
    private final int maxEntries;
    private final List<Entry> entries = new ArrayList<>();
    private final Deque<Path> folders = new ArrayDeque<>();
    private int encoded;
    private boolean truncated;
    private int unreadable;

    Listing(boolean recursive, boolean includeDirs, boolean includeFiles, int maxEntries) {
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

        /// At most what it takes in a result.
        private int encodedSize() {
            return FRAMING_BYTES + JsonText.size(name()) + JsonText.size(path.toString());
        }
    }

    /// Reads the folder; entries are sorted by path.
    ///
    /// @throws InterruptedException when the call was cancelled meanwhile
    List<Entry> of(Path folder) throws IOException, InterruptedException {
        addAll(children(folder));
        while (!folders.isEmpty() && !truncated) {
            if (Thread.interrupted())
                throw new InterruptedException();
            Path next = folders.removeLast();
            try {
                addAll(children(next));
            } catch (IOException e) {
                unreadable++;
            }
        }
        entries.sort(Comparator.comparing(entry -> entry.path().toString()));
        return entries;
    }

    /// Whether there was more than the bound.
    boolean truncated() {
        return truncated;
    }

    /// How many folders could not be read.
    int unreadable() {
        return unreadable;
    }

    private List<Path> children(Path folder) throws IOException {
        List<Path> children = new ArrayList<>();
        try (DirectoryStream<Path> stream = Files.newDirectoryStream(folder)) {
            for (Path child : stream) {
                if (children.size() == MAX_NAMES) {
                    truncated = true;
                    break;
                }
                children.add(child);
            }
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
        children.sort(Comparator.comparing(Path::toString));
        return children;
    }

    private void addAll(List<Path> children) {
        List<Path> below = new ArrayList<>();
        for (Path child : children) {
            BasicFileAttributes attributes = attributes(child);
            if (attributes == null)
                continue;
            if (attributes.isDirectory() && recursive)
                below.add(child);
            boolean wanted = (attributes.isDirectory() && includeDirs) || (attributes.isRegularFile() && includeFiles);
            if (!wanted)
                continue;
            Entry entry = new Entry(child, attributes.isDirectory(), attributes.size());
            encoded += entry.encodedSize();
            if (entries.size() == maxEntries || encoded > MAX_ENCODED_BYTES) {
                truncated = true;
                return;
            }
            entries.add(entry);
        }
        below.reversed().forEach(folders::addLast);
    }

    private static @Nullable BasicFileAttributes attributes(Path path) {
        try {
            return Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        } catch (IOException e) {
            return null; // Deleted meanwhile.
        }
    }
}
