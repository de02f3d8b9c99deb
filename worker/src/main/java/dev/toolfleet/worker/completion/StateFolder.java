package dev.toolfleet.worker.completion;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import org.jspecify.annotations.Nullable;

/// A folder of this worker's own among those of the workers that share a root: the first that is free. So a
/// worker that starts again finds what it left, whatever it is called, and names that are made up leave nothing behind.
public final class StateFolder implements AutoCloseable {
    private static final int MOST = 1_000;
    /// Folders of the workers of this process. Looked up before a lock's file is opened: closing any channel of it would end the
    /// lock that another channel of the process holds.
    private static final Set<Path> TAKEN = ConcurrentHashMap.newKeySet();

    private final Path path;
    private final Path real;
    private final FileChannel lock;

    private StateFolder(Path path, Path real, FileChannel lock) {
        this.path = path;
        this.real = real;
        this.lock = lock;
    }

    /// Takes a folder until it is closed, or the process ends.
    ///
    /// @throws UncheckedIOException naming the setting, when the root cannot be written
    public static StateFolder take(Path root) {
        try {
            for (int number = 0; number < MOST; number++) {
                Path folder = Files.createDirectories(root.resolve(Integer.toString(number)));
                StateFolder taken = take(folder, folder.toRealPath());
                if (taken != null)
                    return taken;
            }
        } catch (IOException e) {
            throw new UncheckedIOException("worker.completion.stateDir '" + root + "' cannot be written: " + e, e);
        }
        throw new IllegalStateException("worker.completion.stateDir '" + root + "' is used by " + MOST + " workers");
    }

    private static @Nullable StateFolder take(Path folder, Path real) throws IOException {
        if (!TAKEN.add(real))
            return null;
        FileChannel lock = null;
        try {
            lock = lock(folder.resolve("lock"));
            return lock == null ? null : new StateFolder(folder, real, lock);
        } finally {
            if (lock == null)
                TAKEN.remove(real);
        }
    }

    private static @Nullable FileChannel lock(Path file) throws IOException {
        FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        try {
            FileLock lock = channel.tryLock();
            if (lock != null)
                return channel;
        } catch (OverlappingFileLockException e) {
            // Another worker of this process has it whose classes were loaded apart.
        }
        channel.close();
        return null;
    }

    /// Returns the folder.
    public Path path() {
        return path;
    }

    @Override
    public void close() {
        if (!lock.isOpen())
            return;
        try {
            lock.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            TAKEN.remove(real);
        }
    }
}
