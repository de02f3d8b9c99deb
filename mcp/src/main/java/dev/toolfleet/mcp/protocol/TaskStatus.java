package dev.toolfleet.mcp.protocol;

import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/// State of a task.
public enum TaskStatus {
    /// It runs or waits.
    WORKING,
    /// It waits for answers of the client.
    INPUT_REQUIRED,
    /// It has a result, perhaps that the tool failed.
    COMPLETED,
    /// A JSON-RPC error ended it.
    FAILED,
    /// It was cancelled.
    CANCELLED;

    /// Returns the state of that name.
    public static Optional<TaskStatus> of(String text) {
        return Stream.of(values()).filter(status -> status.text().equals(text)).findFirst();
    }

    /// Returns its name in messages.
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    /// True if it stays as it is.
    public boolean isFinal() {
        return this == COMPLETED || this == FAILED || this == CANCELLED;
    }
}
