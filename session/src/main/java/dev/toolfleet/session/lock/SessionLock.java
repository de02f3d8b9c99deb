package dev.toolfleet.session.lock;

import java.io.IOException;

/// Held write lock of a session. Thread-safe.
public interface SessionLock extends AutoCloseable {
    /// The session's fencing token: each holder has a greater one than the holder before.
    long fencingToken();

    /// True while no other holder can have the lock. A run checks it before each write.
    ///
    /// @throws IOException when the lock's folder cannot be read
    boolean isHeld() throws IOException;

    /// Releases this hold. The second call does nothing, and a successor's lock is never touched.
    @Override
    void close() throws IOException;
}
