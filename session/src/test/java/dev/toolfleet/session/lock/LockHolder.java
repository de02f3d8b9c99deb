package dev.toolfleet.session.lock;

import java.nio.file.Path;
import java.time.Duration;

/// Process that acquires a lock, prints `held`, and keeps it until it is killed.
final class LockHolder {
    private LockHolder() {}

    public static void main(String[] args) throws Exception {
        Duration lease = Duration.ofMillis(Long.parseLong(args[1]));
        LockConfig config = new LockConfig(Duration.ofSeconds(5), Duration.ofMillis(5), lease, lease, lease);
        FileSessionLocks locks = FileSessionLocks.in(Path.of(args[0]), config);
        System.out
                .println(locks.acquire(LockFolder.SESSION, "holder") instanceof LockResult.Acquired ? "held" : "busy");
        Thread.sleep(Duration.ofMinutes(5));
    }
}
