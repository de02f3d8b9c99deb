package dev.toolfleet.session.lock;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import static java.util.Objects.requireNonNull;

/// Lock file of one session, as one process sees it.
///
/// The system's lock on the file decides: it ends with its process, whatever kills it. The file gets its content before
/// its name, so that no reader finds half of it. A file is removed by renaming it to a unique name and comparing it with
/// the observed one. Otherwise: two contenders see the same dead owner; the first removes its file and puts its own
/// there; the second removes that one, and both hold the lock.
///
/// POSIX drops a process's locks on a file when the process closes any of its handles. So no thread may open the file
/// while another thread of the process holds it: the owner of this object has the path for itself.
final class LockFile {
    private static final int MAX_CONTENT = 65_536;

    private final Path path;

    LockFile(Path path) {
        this.path = path;
    }

    /// Handle on a lock file that this process holds.
    record Held(Path path, FileChannel channel, Object fileKey, long token) {
        /// True while the name still leads to this file.
        boolean isNamed() throws IOException {
            return fileKey.equals(keyOf(path));
        }

        /// Writes a byte, so that the file system's clock records the time.
        void renew() throws IOException {
            ByteBuffer first = ByteBuffer.allocate(1);
            channel.read(first, 0);
            channel.write(first.flip(), 0);
        }

        /// Removes the name when it leads to this file, then frees the lock. The file is open, so that no other has its
        /// key.
        void release() throws IOException {
            try (channel) {
                Path removed = isNamed() ? moved(path) : null;
                if (removed == null)
                    return;
                if (!fileKey.equals(keyOf(removed)))
                    putBack(path, removed);
                Files.deleteIfExists(removed);
            }
        }
    }

    /// Puts the process's own file there.
    ///
    /// @return empty when there is a file already
    Optional<Held> create(Payload payload) throws IOException {
        Path own = unique();
        FileChannel channel = FileChannel.open(own, StandardOpenOption.CREATE_NEW, StandardOpenOption.READ,
                StandardOpenOption.WRITE);
        boolean linked = false;
        try {
            channel.write(ByteBuffer.wrap(payload.bytes()));
            channel.force(true);
            if (channel.tryLock() == null)
                throw new IOException(own + " is new and locked by another process");
            Object key = requireNonNull(keyOf(own), "the file system has no file keys");
            Files.createLink(path, own);
            linked = true;
            return Optional.of(new Held(path, channel, key, payload.token()));
        } catch (FileAlreadyExistsException e) {
            return Optional.empty();
        } finally {
            if (!linked)
                channel.close();
            Files.deleteIfExists(own);
        }
    }

    /// Removes the file of a holder that is lost.
    ///
    /// @return the holder when it may live; empty when the file was removed or is gone
    Optional<Observed> removeLost(LockConfig config) throws IOException {
        Object key = keyOf(path);
        if (key == null)
            return Optional.empty();
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            byte[] content = content(channel);
            Optional<Payload> payload = Payload.read(content);
            boolean free = tryLock(channel) != null;
            // The name may have got another file between the look and the opening.
            if (!free || !key.equals(keyOf(path)) || !isLost(payload, config))
                return Optional.of(new Observed(payload.map(Payload::description).orElse(null)));
            remove(key, content);
            return Optional.empty();
        } catch (NoSuchFileException e) {
            return Optional.empty();
        }
    }

    /// Holder of an existing file.
    ///
    /// @param owner its description; null when the file names no process
    record Observed(@Nullable String owner) {}

    private boolean isLost(Optional<Payload> payload, LockConfig config) throws IOException {
        // The system's lock is free. On this machine the holder is dead, then; another machine's locks may not be seen.
        if (payload.isPresent() && payload.get().isOfThisMachine())
            return true;
        return age().compareTo(payload.isPresent() ? config.lease() : config.grace()) > 0;
    }

    /// Compares the file with a new one: both times come from the file system's clock.
    private Duration age() throws IOException {
        Path probe = unique();
        try {
            Files.createFile(probe);
            return Duration.between(Files.getLastModifiedTime(path).toInstant(),
                    Files.getLastModifiedTime(probe).toInstant());
        } catch (NoSuchFileException e) {
            return Duration.ZERO;
        } finally {
            Files.deleteIfExists(probe);
        }
    }

    /// Removes the file of a lost holder. The keys of removed files are given to new ones, so the contents are compared
    /// too.
    private void remove(Object key, byte[] content) throws IOException {
        Path removed = moved(path);
        if (removed == null)
            return;
        if (!key.equals(keyOf(removed)) || !Arrays.equals(content, Files.readAllBytes(removed)))
            putBack(path, removed);
        Files.deleteIfExists(removed);
    }

    private static @Nullable Path moved(Path path) throws IOException {
        Path removed = path.resolveSibling(path.getFileName() + "." + UUID.randomUUID() + ".gone");
        try {
            return Files.move(path, removed);
        } catch (NoSuchFileException e) {
            return null;
        }
    }

    /// A successor's file was moved. Its owner finds its name gone, unless it is put back; it then writes nothing.
    private static void putBack(Path path, Path removed) throws IOException {
        try {
            Files.createLink(path, removed);
        } catch (FileAlreadyExistsException e) {
            // A third one holds the lock by now.
        }
    }

    private Path unique() {
        return path.resolveSibling(path.getFileName() + "." + UUID.randomUUID() + ".new");
    }

    private static @Nullable FileLock tryLock(FileChannel channel) throws IOException {
        try {
            return channel.tryLock();
        } catch (OverlappingFileLockException e) {
            return null;
        }
    }

    private static byte[] content(FileChannel channel) throws IOException {
        ByteBuffer content = ByteBuffer.allocate((int) Math.min(channel.size(), MAX_CONTENT));
        while (content.hasRemaining() && channel.read(content, content.position()) >= 0) {
            // Reads on.
        }
        return Arrays.copyOf(content.array(), content.position());
    }

    private static @Nullable Object keyOf(Path path) throws IOException {
        try {
            return Files.readAttributes(path, BasicFileAttributes.class).fileKey();
        } catch (NoSuchFileException e) {
            return null;
        }
    }
}
