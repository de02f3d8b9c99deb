package dev.toolfleet.hosts;

import org.jspecify.annotations.Nullable;

/// Failure of a service that a handler asked for; the handler gets it as an exception.
final class ServiceException extends Exception {
    private final String code;
    private final @Nullable String suggestion;

    ServiceException(String code, String message, @Nullable String suggestion) {
        super(message);
        this.code = code;
        this.suggestion = suggestion;
    }

    String code() {
        return code;
    }

    @Nullable
    String suggestion() {
        return suggestion;
    }
}
