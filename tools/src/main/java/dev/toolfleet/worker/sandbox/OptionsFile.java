package dev.toolfleet.worker.sandbox;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/// File with the options of one program, which only the worker's user can read.
final class OptionsFile {
    /// A file system in memory, on most systems.
    private static final Path MEMORY = Path.of("/dev/shm");

    private OptionsFile() {}

    static Path write(byte[] options) throws IOException {
        var mine = PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
        Path file = Files.isDirectory(MEMORY) && Files.isWritable(MEMORY)
                ? Files.createTempFile(MEMORY, "toolfleet-options-", null, mine)
                : Files.createTempFile("toolfleet-options-", null, mine);
        try {
            return Files.write(file, options);
        } catch (IOException e) {
            Files.deleteIfExists(file);
            throw e;
        }
    }
}
