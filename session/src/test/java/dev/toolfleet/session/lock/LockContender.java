package dev.toolfleet.session.lock;

import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/// Process that acquires a lock again and again. It leaves the file of a dead owner behind after each round, and ends
/// with code 1 when it meets another process in the critical section.
final class LockContender {
    private LockContender() {}

    public static void main(String[] args) throws Exception {
        Path folder = Path.of(args[0]);
        int rounds = Integer.parseInt(args[1]);
        Path critical = folder.resolve("critical");
        LockConfig config = new LockConfig(Duration.ofMinutes(2), Duration.ofMillis(2), Duration.ofMinutes(5),
                Duration.ofSeconds(5), Duration.ofSeconds(1));
        long lastToken = 0;
        try (FileSessionLocks locks = FileSessionLocks.in(folder, config)) {
            for (int round = 0; round < rounds; round++) {
                if (!(locks.acquire(LockFolder.SESSION, "run-" + ProcessHandle.current().pid() + "-"
                        + round) instanceof LockResult.Acquired(SessionLock lock)))
                    throw new IllegalStateException("no lock in round " + round);
                try (lock) {
                    Files.createFile(critical);
                    if (lock.fencingToken() <= lastToken)
                        throw new IllegalStateException("token " + lock.fencingToken() + " after " + lastToken);
                    lastToken = lock.fencingToken();
                    if (!lock.isHeld())
                        throw new IllegalStateException("lost the lock in round " + round);
                    Files.delete(critical);
                } catch (FileAlreadyExistsException e) {
                    throw new IllegalStateException("two processes hold the lock", e);
                }
                new LockFolder(folder).leaveDead();
            }
        }
    }
}
