package dev.toolfleet.http;

/// Failure to bind the port of a server. The message is one line for a person: the settings, the problem and the way
/// out.
public final class PortException extends IllegalStateException {
    PortException(String message, Throwable cause) {
        super(message, cause);
    }
}
