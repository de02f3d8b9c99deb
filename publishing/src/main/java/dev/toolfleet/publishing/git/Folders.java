package dev.toolfleet.publishing.git;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/// Temporary folders.
public final class Folders {
    private Folders() {}

    /// Removes a folder with all that is in it; links are not followed. What cannot be removed is left to the machine,
    /// which removes temporary files.
    public static void delete(Path folder) {
        try (Stream<Path> paths = Files.walk(folder)) {
            for (Path path : paths.sorted(Comparator.reverseOrder()).toList())
                Files.deleteIfExists(path);
        } catch (IOException | UncheckedIOException e) {
            // See above.
        }
    }
}
