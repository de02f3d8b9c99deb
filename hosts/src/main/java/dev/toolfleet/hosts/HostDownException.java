package dev.toolfleet.hosts;

/// No process of a host runs: none could be started, or it ends too often.
final class HostDownException extends Exception {
    HostDownException(String reason) {
        super(reason);
    }

    String reason() {
        return String.valueOf(getMessage());
    }
}
