package dev.toolfleet.publishing.git;

/// The repository cannot be reached, read or written. The message names it, the cause and the way out.
public final class GitException extends Exception {
    GitException(String message, Throwable cause) {
        super(message, cause);
    }

    GitException(String message) {
        super(message);
    }
}
