package dev.toolfleet.bench.load;

/// The way from a call to its final result.
public enum Course {
    /// The handler answers.
    DIRECT,
    /// The handler answers with a handle, and a build farm outside of the fleet completes it.
    PENDING,
    /// A person approves the call; then its handler answers.
    APPROVED,
    /// A person rejects the call; its handler never runs.
    REJECTED,
    /// The call sends, its instance has both labels, and a person approves it; then its handler answers.
    GUARDED;

    /// True if a person decides about the call.
    public boolean asked() {
        return isAlwaysAsked() || this == GUARDED;
    }

    /// True if the call is of an export whose calls always need approval.
    public boolean isAlwaysAsked() {
        return this == APPROVED || this == REJECTED;
    }

    /// True if a pending result comes before the final one.
    public boolean deferred() {
        return this != DIRECT;
    }
}
