package dev.toolfleet.oauth.seal;

/// Failure to open a sealed secret. The message shows no part of it.
public final class SealException extends RuntimeException {
    SealException(String message) {
        super(message);
    }

    SealException(String message, Throwable cause) {
        super(message, cause);
    }
}
