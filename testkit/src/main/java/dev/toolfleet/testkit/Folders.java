package dev.toolfleet.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

/// Reads and deletes the folders that tests work in.
final class Folders {
    private Folders() {}

    /// Makes the folder of a contract's workdirs.
    ///
    /// @param parent null for a temporary folder
    static Path contract(@Nullable Path parent) {
        try {
            Path made = parent == null
                    ? Files.createTempDirectory("toolfleet-contract-")
                    : Files.createTempDirectory(Files.createDirectories(parent), "contract-");
            return made.toRealPath();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Returns the names in a folder; none when it cannot be read.
    static Set<Path> entries(Path folder) {
        try (Stream<Path> found = Files.list(folder)) {
            return found.collect(TreeSet::new, Set::add, Set::addAll);
        } catch (IOException | UncheckedIOException e) {
            return Set.of();
        }
    }

    /// Deletes a folder with its content; links are deleted, not followed.
    static void delete(Path folder) {
        try {
            Files.walkFileTree(folder, new Deletion());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static final class Deletion extends SimpleFileVisitor<Path> {
        @Override
        public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
            Files.deleteIfExists(file);
            return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult postVisitDirectory(Path folder, @Nullable IOException failure) throws IOException {
            Files.deleteIfExists(folder);
            return FileVisitResult.CONTINUE;
        }
    }
}
