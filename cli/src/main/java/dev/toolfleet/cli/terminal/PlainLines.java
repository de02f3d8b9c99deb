package dev.toolfleet.cli.terminal;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.encoder.EncoderBase;

/// Log events for people: one line each, and the stack of a failure below it. Values come from callers: a control
/// character in one cannot begin a line of its own.
final class PlainLines extends EncoderBase<ILoggingEvent> {
    private static final byte[] NONE = {};
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("HH:mm:ss.SSS")
            .withZone(ZoneId.systemDefault());

    @Override
    public byte[] headerBytes() {
        return NONE;
    }

    @Override
    public byte[] encode(ILoggingEvent event) {
        StringBuilder line = new StringBuilder(160);
        TIME.formatTo(Instant.ofEpochMilli(event.getTimeStamp()), line);
        String logger = event.getLoggerName();
        String level = event.getLevel().toString();
        line.append(' ').append(level).append(" ".repeat(Math.max(0, 5 - level.length()))).append(' ')
                .append(logger.substring(logger.lastIndexOf('.') + 1)).append(": ");
        printable(String.valueOf(event.getFormattedMessage()), line);
        EventKeys.of(event).forEach((key, value) -> {
            line.append(' ').append(key).append("=\"");
            printable(String.valueOf(value), line);
            line.append('"');
        });
        line.append(System.lineSeparator());
        if (event.getThrowableProxy() != null)
            line.append(ThrowableProxyUtil.asString(event.getThrowableProxy())).append(System.lineSeparator());
        return line.toString().getBytes(StandardCharsets.UTF_8);
    }

    private static void printable(String text, StringBuilder line) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '\n' -> line.append("\\n");
                case '\r' -> line.append("\\r");
                case '\t' -> line.append("\\t");
                default -> {
                    if (Character.isISOControl(c) || c == '\u2028' || c == '\u2029') {
                        line.append(String.format("\\u%04x", (int) c));
                    } else {
                        line.append(c);
                    }
                }
            }
        }
    }

    @Override
    public byte[] footerBytes() {
        return NONE;
    }
}
