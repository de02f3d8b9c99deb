package dev.toolfleet.cli.terminal;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Map;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.core.encoder.Encoder;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.slf4j.event.KeyValuePair;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class LogFormatTest {
    @Test
    void anEventIsOneJsonObjectWithItsKeysAsFields() {
        LoggingEvent event = event(new IllegalStateException("broken"));
        event.addKeyValuePair(new KeyValuePair("offset", 42L));
        event.addKeyValuePair(new KeyValuePair("reason", "two\nlines"));
        event.addKeyValuePair(new KeyValuePair("callId", "its own"));
        event.addKeyValuePair(new KeyValuePair("level", "taken"));

        String line = line(new JsonLines(), event);

        assertThat(line).endsWith("\n").hasLineCount(1);
        JsonNode json = JsonMapper.shared().readTree(line);
        assertThat(json.path("timestamp").asString()).isEqualTo("2026-01-01T00:00:00.001Z");
        assertThat(json.path("level").asString()).isEqualTo("WARN");
        assertThat(json.path("logger").asString()).isEqualTo("dev.toolfleet.Some");
        assertThat(json.path("message").asString()).isEqualTo("something happened");
        assertThat(json.path("offset").asLong()).isEqualTo(42);
        assertThat(json.path("reason").asString()).isEqualTo("two\nlines");
        assertThat(json.path("callId").asString()).isEqualTo("its own");
        assertThat(json.path("traceId").asString()).isEqualTo("0af7");
        assertThat(json.path("_level").asString()).isEqualTo("taken");
        assertThat(json.path("error").asString()).startsWith("java.lang.IllegalStateException: broken");
    }

    @Test
    void anEventIsOnePlainLineWhateverItsValuesAre() {
        LoggingEvent event = event(null);
        event.addKeyValuePair(new KeyValuePair("reason", "two\nlines\u001b[2J"));

        String line = line(new PlainLines(), event);

        assertThat(line.strip()).hasLineCount(1).contains("WARN  Some: something happened")
                .contains("reason=\"two\\nlines\\u001b[2J\"").contains("traceId=\"0af7\"");
    }

    @Test
    void aFlagComesBeforeTheEnvironment() {
        assertThat(LogFormat.of(null, Map.of())).isEqualTo(LogFormat.PLAIN);
        assertThat(LogFormat.of(null, Map.of(LogFormat.VARIABLE, "json"))).isEqualTo(LogFormat.JSON);
        assertThat(LogFormat.of(LogFormat.PLAIN, Map.of(LogFormat.VARIABLE, "json"))).isEqualTo(LogFormat.PLAIN);
        assertThatThrownBy(() -> LogFormat.of(null, Map.of(LogFormat.VARIABLE, "xml")))
                .hasMessage("TOOLFLEET_LOG_FORMAT=xml: accepted are plain, json");
    }

    private static String line(Encoder<ILoggingEvent> encoder, ILoggingEvent event) {
        return new String(encoder.encode(event), StandardCharsets.UTF_8);
    }

    private static LoggingEvent event(@Nullable Throwable thrown) {
        LoggerContext logs = new LoggerContext();
        LoggingEvent event = new LoggingEvent("", logs.getLogger("dev.toolfleet.Some"), Level.WARN,
                "something happened", thrown, new Object[0]);
        event.setInstant(Instant.parse("2026-01-01T00:00:00.001Z"));
        event.setMDCPropertyMap(Map.of("traceId", "0af7", "callId", "the thread's"));
        return event;
    }
}
