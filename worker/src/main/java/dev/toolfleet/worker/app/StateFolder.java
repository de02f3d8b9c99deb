package dev.toolfleet.worker.app;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

import org.jspecify.annotations.Nullable;

/// A folder of this worker's own among those of the workers that share a root: the first that nobody else has. So a
/// worker that starts again finds what it left, whatever it is called, and names that are made up leave nothing behind.
final class StateFolder implements AutoCloseable {
    private static final int MOST = 1_000;

    private final Path path;
    private final FileChannel lock;

    private StateFolder(Path path, FileChannel lock) {
        this.path = path;
        this.lock = lock;
    }

    /// Takes a folder until it is closed, or the process ends.
    ///
    /// @throws UncheckedIOException naming the setting, when the root cannot be written
    static StateFolder take(Path root) {
        try {
            for (int number = 0; number < MOST; number++) {
                Path folder = Files.createDirectories(root.resolve(Integer.toString(number)));
                FileChannel lock = lock(folder.resolve("lock"));
                if (lock != null)
                    return new StateFolder(folder, lock);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("worker.completion.stateDir '" + root + "' cannot be written: " + e, e);
        }
        throw new IllegalStateException("worker.completion.stateDir '" + root + "' is used by " + MOST + " workers");
    }

    private static @Nullable FileChannel lock(Path file) throws IOException {
        FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        try {
            FileLock lock = channel.tryLock();
            if (lock != null)
                return channel;
        } catch (OverlappingFileLockException e) {
            // Another worker of this process has it.
        }
        channel.close();
        return null;
    }

    Path path() {
        return path;
    }

    @Override
    public void close() {
        try {
            lock.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
