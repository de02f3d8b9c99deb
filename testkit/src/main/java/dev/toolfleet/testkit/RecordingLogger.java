package dev.toolfleet.testkit;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import org.jspecify.annotations.Nullable;
import org.slf4j.Marker;
import org.slf4j.event.Level;
import org.slf4j.helpers.LegacyAbstractLogger;
import org.slf4j.helpers.MessageFormatter;

/// Logger that keeps all lines of every level. Thread-safe.
final class RecordingLogger extends LegacyAbstractLogger {
    private final transient List<LogLine> lines = new CopyOnWriteArrayList<>();

    RecordingLogger() {
        this.name = "tool";
    }

    List<LogLine> lines() {
        return List.copyOf(lines);
    }

    @Override
    protected void handleNormalizedLoggingCall(Level level, @Nullable Marker marker, String pattern,
            Object @Nullable [] arguments, @Nullable Throwable thrown) {
        lines.add(new LogLine(level, MessageFormatter.basicArrayFormat(pattern, arguments), thrown));
    }

    @Override
    protected String getFullyQualifiedCallerName() {
        return RecordingLogger.class.getName();
    }

    @Override
    public boolean isTraceEnabled() {
        return true;
    }

    @Override
    public boolean isDebugEnabled() {
        return true;
    }

    @Override
    public boolean isInfoEnabled() {
        return true;
    }

    @Override
    public boolean isWarnEnabled() {
        return true;
    }

    @Override
    public boolean isErrorEnabled() {
        return true;
    }
}
