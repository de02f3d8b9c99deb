package dev.toolfleet.session.lock;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;

/// Folder of locks with files that others have left, for tests.
final class LockFolder {
    static final String SESSION = "s1";

    private final Path folder;

    LockFolder(Path folder) {
        this.folder = folder;
    }

    Path file() {
        return folder.resolve("s-s1.lock");
    }

    /// Leaves a file whose owner died on this machine.
    boolean leaveDead() throws IOException {
        return leave(new String(Payload.of(SESSION, "dead", UUID.randomUUID().toString(), 1).bytes(),
                StandardCharsets.UTF_8));
    }

    /// Leaves the file of an owner on another machine, which has the pid of this process.
    void leaveForeign() throws IOException {
        Payload own = Payload.of(SESSION, "foreign", UUID.randomUUID().toString(), 1);
        leave(new String(new Payload("elsewhere", own.bootId(), own.pid(), own.started(), own.nonce(), own.runId(),
                SESSION, 1).bytes(), StandardCharsets.UTF_8));
    }

    /// Puts a file with its content there, unless there is one.
    boolean leave(String content) throws IOException {
        Path own = Files.writeString(folder.resolve(UUID.randomUUID() + ".left"), content);
        try {
            Files.createLink(file(), own);
            return true;
        } catch (FileAlreadyExistsException e) {
            return false;
        } finally {
            Files.delete(own);
        }
    }

    void age(Duration age) throws IOException {
        Files.setLastModifiedTime(file(), FileTime.from(Instant.now().minus(age)));
    }
}
