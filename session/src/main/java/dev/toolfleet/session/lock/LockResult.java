package dev.toolfleet.session.lock;

import org.jspecify.annotations.Nullable;

/// Outcome of acquiring a session's lock.
public sealed interface LockResult {
    /// The lock is held.
    ///
    /// @param lock releases it
    record Acquired(SessionLock lock) implements LockResult {}

    /// Another run holds the lock. The caller may try again; another model would not help.
    ///
    /// @param owner a description of the holder, when its file can be read
    record Busy(@Nullable String owner) implements LockResult {}

    /// The run was ended before and must not write again.
    ///
    /// @param runId the run
    record Ended(String runId) implements LockResult {}
}
