package dev.toolfleet.catalog.middleware;

/// Failure of an extension's code that does not return: the caller stopped waiting, or did not run it.
public final class LeftBehindException extends RuntimeException {
    LeftBehindException(String message) {
        super(message);
    }
}
