package dev.toolfleet.catalog.middleware;

/// Code of an extension was not waited for any longer, or not run, because it does not return.
public final class LeftBehindException extends RuntimeException {
    LeftBehindException(String message) {
        super(message);
    }
}
