package dev.toolfleet.hosts;

import org.slf4j.Logger;
import org.slf4j.event.Level;

/// Lines that handlers log, at their level.
final class HostLog {
    private HostLog() {}

    /// Writes a line that belongs to no call.
    static void write(Logger log, String level, String text, String label) {
        log.atLevel(level(level)).addKeyValue(HostLogKeys.HOST, label).addKeyValue(HostLogKeys.LINE, text)
                .log("host logged");
    }

    /// Writes a line of a call, whose logger adds the call's ids.
    static void write(Logger log, String level, String text) {
        log.atLevel(level(level)).log(text);
    }

    private static Level level(String level) {
        return switch (level) {
            case "error" -> Level.ERROR;
            case "warn" -> Level.WARN;
            case "debug", "trace" -> Level.DEBUG;
            default -> Level.INFO;
        };
    }
}
