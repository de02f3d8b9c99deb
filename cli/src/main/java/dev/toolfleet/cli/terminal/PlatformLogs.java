package dev.toolfleet.cli.terminal;

import java.util.Arrays;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogManager;
import java.util.logging.LogRecord;

import org.slf4j.LoggerFactory;

/// Handler that passes logs of `java.util.logging` on to the other logs; the exporter of traces reports a silent
/// collector there.
public final class PlatformLogs extends Handler {
    private PlatformLogs() {}

    /// For the whole process. May be called again.
    public static void join() {
        java.util.logging.Logger root = LogManager.getLogManager().getLogger("");
        if (Arrays.stream(root.getHandlers()).anyMatch(PlatformLogs.class::isInstance))
            return;
        for (Handler handler : root.getHandlers())
            root.removeHandler(handler);
        root.addHandler(new PlatformLogs());
    }

    @Override
    public void publish(LogRecord record) {
        LoggerFactory.getLogger(String.valueOf(record.getLoggerName())).atLevel(level(record.getLevel()))
                .setCause(record.getThrown()).log(String.valueOf(record.getMessage()));
    }

    private static org.slf4j.event.Level level(Level level) {
        int value = level.intValue();
        if (value >= Level.SEVERE.intValue())
            return org.slf4j.event.Level.ERROR;
        if (value >= Level.WARNING.intValue())
            return org.slf4j.event.Level.WARN;
        return value >= Level.INFO.intValue() ? org.slf4j.event.Level.INFO : org.slf4j.event.Level.DEBUG;
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
}
