package dev.toolfleet.cli.terminal;

import java.util.Arrays;
import java.util.Iterator;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.Appender;
import ch.qos.logback.core.OutputStreamAppender;
import ch.qos.logback.core.encoder.Encoder;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/// Format of the logs on standard error.
public enum LogFormat {
    /// For people: time, level, logger, message, keys and values.
    PLAIN,
    /// For collectors: one JSON object a line.
    JSON;

    /// The variable that chooses one where no flag does.
    public static final String VARIABLE = "TOOLFLEET_LOG_FORMAT";

    /// The one that a flag or the environment names; [#PLAIN] when neither does.
    ///
    /// @param flag null when it is not given
    /// @throws Failure when the variable names none
    public static LogFormat of(@Nullable LogFormat flag, Map<String, String> environment) {
        if (flag != null)
            return flag;
        String named = environment.getOrDefault(VARIABLE, "").strip();
        if (named.isEmpty())
            return PLAIN;
        return Arrays.stream(values()).filter(format -> format.text().equals(named.toLowerCase(Locale.ROOT)))
                .findFirst().orElseThrow(() -> Failure.invalid(VARIABLE + "=" + named + ": accepted are "
                        + Arrays.stream(values()).map(LogFormat::text).collect(Collectors.joining(", "))));
    }

    private String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    /// Makes every line of this process look like that.
    public void apply() {
        if (!(LoggerFactory.getILoggerFactory() instanceof LoggerContext logs))
            return;
        Iterator<Appender<ILoggingEvent>> all = logs.getLogger(Logger.ROOT_LOGGER_NAME).iteratorForAppenders();
        while (all.hasNext()) {
            if (all.next() instanceof OutputStreamAppender<ILoggingEvent> appender)
                appender.setEncoder(started(logs));
        }
    }

    private Encoder<ILoggingEvent> started(LoggerContext logs) {
        Encoder<ILoggingEvent> encoder = this == JSON ? new JsonLines() : new PlainLines();
        encoder.setContext(logs);
        encoder.start();
        return encoder;
    }
}
