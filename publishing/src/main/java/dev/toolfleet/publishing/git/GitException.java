package dev.toolfleet.publishing.git;

/// The repository cannot be reached, read or written. The message names it, the cause and the way out.
public final class GitException extends Exception {
    GitException(String message, Throwable cause) {
        super(message, cause);
    }

    /// Something is not in the repository, or not as it must be.
    public GitException(String message) {
        super(message);
    }
}
