package dev.toolfleet.worker.tools.messaging;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import dev.toolfleet.tool.ToolException;
import org.slf4j.LoggerFactory;

import static org.assertj.core.api.Assertions.assertThat;

/// Watches everything that this JVM logs, every level of it, for a secret.
public final class Leaks implements AutoCloseable {
    private final String secret;
    private final List<String> logged = new CopyOnWriteArrayList<>();
    private final Logger root = (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
    private final java.util.logging.Logger okhttp = java.util.logging.Logger.getLogger("okhttp3.OkHttpClient");
    private final Level before = root.getLevel();
    private final Memory memory = new Memory();
    private final Other other = new Other();

    public Leaks(String secret) {
        this.secret = secret;
        root.setLevel(Level.TRACE);
        memory.start();
        root.addAppender(memory);
        okhttp.setLevel(java.util.logging.Level.ALL);
        okhttp.addHandler(other);
    }

    /// Asserts that an error and its causes do not show the token.
    public void assertHidden(ToolException e) {
        StringWriter trace = new StringWriter();
        e.printStackTrace(new PrintWriter(trace));
        assertThat(trace + " " + e.suggestion() + " " + e.helpUrl()).doesNotContain(secret);
    }

    public void assertNothingLogged() {
        assertThat(logged).noneMatch(line -> line.contains(secret));
    }

    @Override
    public void close() {
        root.detachAppender(memory);
        root.setLevel(before);
        okhttp.removeHandler(other);
    }

    private final class Memory extends AppenderBase<ILoggingEvent> {
        @Override
        protected void append(ILoggingEvent event) {
            logged.add(event.getFormattedMessage() + " " + event.getKeyValuePairs() + " "
                    + (event.getThrowableProxy() == null ? "" : event.getThrowableProxy().getMessage()));
        }
    }

    private final class Other extends Handler {
        @Override
        public void publish(LogRecord event) {
            logged.add(event.getMessage() + " " + event.getThrown());
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    }
}
