package dev.toolfleet.testkit;

import org.jspecify.annotations.Nullable;
import org.slf4j.event.Level;

/// One line that a handler logged.
///
/// @param level the severity
/// @param message the text with its arguments filled in and its key-values in front
/// @param thrown the exception that was logged with it
public record LogLine(Level level, String message, @Nullable Throwable thrown) {}
