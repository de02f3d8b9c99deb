package dev.toolfleet.worker.sandbox;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

import dev.toolfleet.worker.egress.CommandLogKeys;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// File from which bubblewrap reads a filter of system calls: its other pipe brings the options. Programs behind walls
/// do not see it. Thread-safe.
final class FilterFile implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(FilterFile.class);

    private final byte[] program;
    private final ReentrantLock lock = new ReentrantLock();
    private Optional<Path> file = Optional.empty();

    FilterFile(SystemCallFilter filter) {
        this.program = filter.bytes();
    }

    /// Returns the path of the filter file, and writes the file anew if it was deleted.
    Path path() throws IOException {
        lock.lock();
        try {
            if (file.isEmpty() || Files.notExists(file.get()))
                file = Optional.of(written());
            return file.get();
        } finally {
            lock.unlock();
        }
    }

    private Path written() throws IOException {
        Path made = Files.createTempFile("toolfleet-filter-", null);
        Files.write(made, program);
        // Another user than its writer may read it, and it is no secret.
        Files.setPosixFilePermissions(made, PosixFilePermissions.fromString("r--r--r--"));
        return made;
    }

    @Override
    public void close() {
        lock.lock();
        try {
            if (file.isPresent())
                Files.deleteIfExists(file.get());
        } catch (IOException e) {
            LOG.atDebug().addKeyValue(CommandLogKeys.REASON, e.toString()).log("filter of system calls not removed");
        } finally {
            lock.unlock();
        }
    }
}
