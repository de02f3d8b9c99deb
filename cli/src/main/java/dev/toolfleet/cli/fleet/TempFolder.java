package dev.toolfleet.cli.fleet;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

import dev.toolfleet.cli.terminal.Failure;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A folder that goes away with the command.
public final class TempFolder implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(TempFolder.class);

    private final Path path;

    private TempFolder(Path path) {
        this.path = path;
    }

    /// A new, empty folder.
    public static TempFolder create() {
        try {
            return new TempFolder(Files.createTempDirectory("toolfleet-"));
        } catch (IOException e) {
            throw Failure.failed(
                    "no temporary folder can be made in " + System.getProperty("java.io.tmpdir") + ": " + e,
                    e);
        }
    }

    /// Checks that a folder can be written, making it when it is absent.
    ///
    /// @param what how the message calls it, such as `the workspace`
    /// @throws Failure when it cannot
    public static Path writable(Path folder, String what) {
        try {
            Files.createDirectories(folder);
            Files.delete(Files.createTempFile(folder, ".toolfleet", ".probe"));
            return folder.toAbsolutePath().normalize();
        } catch (IOException e) {
            throw Failure.failed(what + " " + folder + " cannot be written: " + e.getClass().getSimpleName() + ": "
                    + e.getMessage(), e);
        }
    }

    /// The folder's path.
    public Path path() {
        return path;
    }

    /// Deletes it with all that is in it, as far as that can be done.
    @Override
    public void close() {
        try (Stream<Path> files = Files.walk(path)) {
            List<Path> deepestFirst = files.sorted(Comparator.reverseOrder()).toList();
            for (Path file : deepestFirst)
                Files.deleteIfExists(file);
        } catch (NoSuchFileException e) {
            LOG.debug("already gone: {}", e.getMessage());
        } catch (IOException | UncheckedIOException e) {
            LOG.warn("a temporary folder could not be deleted; folder={}", path, e);
        }
    }
}
