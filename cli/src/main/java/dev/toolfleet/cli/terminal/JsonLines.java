package dev.toolfleet.cli.terminal;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Set;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.encoder.EncoderBase;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/// Log events for collectors: one JSON object a line, with `timestamp`, `level`, `logger`, `thread`, `message`, each
/// key of the event as a field of its own, and `error` for the stack of a failure. A key that has the name of one of
/// these gets a `_` before it.
final class JsonLines extends EncoderBase<ILoggingEvent> {
    private static final byte[] NONE = {};
    private static final JsonMapper MAPPER = JsonMapper.shared();
    private static final Set<String> OWN = Set.of("timestamp", "level", "logger", "thread", "message", "error");

    @Override
    public byte[] headerBytes() {
        return NONE;
    }

    @Override
    public byte[] encode(ILoggingEvent event) {
        ObjectNode line = MAPPER.createObjectNode();
        line.put("timestamp", Instant.ofEpochMilli(event.getTimeStamp()).toString());
        line.put("level", event.getLevel().toString());
        line.put("logger", event.getLoggerName());
        line.put("thread", event.getThreadName());
        line.put("message", event.getFormattedMessage());
        EventKeys.of(event).forEach((key, value) -> put(line, OWN.contains(key) ? "_" + key : key, value));
        if (event.getThrowableProxy() != null)
            line.put("error", ThrowableProxyUtil.asString(event.getThrowableProxy()));
        return (MAPPER.writeValueAsString(line) + "\n").getBytes(StandardCharsets.UTF_8);
    }

    private static void put(ObjectNode line, String key, @Nullable Object value) {
        switch (value) {
            case null -> line.putNull(key);
            case Integer number -> line.put(key, number);
            case Long number -> line.put(key, number);
            case Double number -> line.put(key, number);
            case Boolean truth -> line.put(key, truth);
            default -> line.put(key, String.valueOf(value));
        }
    }

    @Override
    public byte[] footerBytes() {
        return NONE;
    }
}
