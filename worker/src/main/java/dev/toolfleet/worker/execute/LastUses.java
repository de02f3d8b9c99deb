package dev.toolfleet.worker.execute;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;

/// Times at which the instances' folders were last used, each the modification time of an empty file outside of the
/// folder. Workers that share a workspace share the files. Thread-safe.
///
/// **Why.** Otherwise: a command sets its own folder's time to the year 2096, and the folder is never removed.
///
/// @param root of the instances' folders
record LastUses(Path root) {
    private static final String FOLDER = ".last-use";

    /// Notes a use.
    void mark(String name, Instant now) throws IOException {
        Path file = file(name);
        try {
            Files.setLastModifiedTime(file, FileTime.from(now));
        } catch (NoSuchFileException e) {
            create(file);
            Files.setLastModifiedTime(file, FileTime.from(now));
        }
    }

    /// True if the last use of a folder was before an instant. A folder without a known use counts as used now.
    boolean usedBefore(String name, Instant instant, Instant now) throws IOException {
        try {
            return Files.getLastModifiedTime(file(name)).toInstant().isBefore(instant);
        } catch (NoSuchFileException e) {
            mark(name, now);
            return false;
        }
    }

    /// Forgets removed folders that were not used since an instant.
    void forget(Instant before) throws IOException {
        if (Files.notExists(root.resolve(FOLDER)))
            return;
        for (Path file : files())
            if (Files.notExists(root.resolve(file.getFileName()), LinkOption.NOFOLLOW_LINKS)
                    && Files.getLastModifiedTime(file).toInstant().isBefore(before))
                Files.deleteIfExists(file);
    }

    private List<Path> files() throws IOException {
        try (Stream<Path> files = Files.list(root.resolve(FOLDER))) {
            return files.toList();
        }
    }

    private Path file(String name) {
        return root.resolve(FOLDER).resolve(name);
    }

    private void create(Path file) throws IOException {
        Files.createDirectories(root.resolve(FOLDER), OwnFolders.onlyMine());
        try {
            Files.createFile(file);
        } catch (FileAlreadyExistsException e) {
            // Another worker was first.
        }
    }
}
