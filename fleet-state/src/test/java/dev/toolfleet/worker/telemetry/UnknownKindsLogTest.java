package dev.toolfleet.worker.telemetry;

import java.util.List;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.toolfleet.wire.AgentInstance;
import dev.toolfleet.wire.UnknownKinds;
import dev.toolfleet.wire.WireCodec;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

/// Unknown kinds are named once, and what is no word is not shown: anybody may write it.
class UnknownKindsLogTest {
    private final Logger logger = (Logger) LoggerFactory.getLogger(UnknownKinds.class);
    private final ListAppender<ILoggingEvent> lines = new ListAppender<>();

    @BeforeEach
    void listen() {
        lines.start();
        logger.addAppender(lines);
    }

    @AfterEach
    void stop() {
        logger.detachAppender(lines);
    }

    @Test
    void aKindIsNamedOnceAndCountedEachTime() {
        long before = UnknownKinds.met();
        read("hibernating");
        read("hibernating");
        read("a secret, with blanks");

        assertThat(lines.list).extracting(ILoggingEvent::getLevel).containsExactly(Level.WARN, Level.WARN);
        assertThat(lines.list).extracting(event -> event.getKeyValuePairs().get(1).value)
                .isEqualTo(List.of("hibernating", "not shown"));
        assertThat(UnknownKinds.met()).isGreaterThanOrEqualTo(before + 3);
    }

    private static void read(String status) {
        WireCodec.of(AgentInstance.class).read(("{\"agent\":\"a\",\"instanceKey\":\"i\",\"status\":\"" + status
                + "\",\"spawnedAt\":\"2026-11-21T20:00:00Z\"}").getBytes(UTF_8));
    }
}
