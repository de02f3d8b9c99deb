package dev.toolfleet.catalog.telemetry;

import java.time.Instant;
import java.util.Map;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

import static org.assertj.core.api.Assertions.assertThat;

class StepFaultsTest {
    private final Logger logger = (Logger) LoggerFactory.getLogger(StepFaults.class);
    private final ListAppender<ILoggingEvent> log = new ListAppender<>();
    private Instant now = Instant.EPOCH;
    private final StepFaults faults = new StepFaults(() -> now);

    @BeforeEach
    void listen() {
        logger.setLevel(Level.WARN);
        log.start();
        logger.addAppender(log);
    }

    @AfterEach
    void stop() {
        logger.detachAppender(log);
        logger.setLevel(null);
    }

    @Test
    void everyFaultCountsAndTheSameOneIsLoggedOnceAMinute() {
        faults.report("coder", "acme/x", "it threw SomeException: of step 1");
        now = now.plusSeconds(30);
        faults.report("coder", "acme/x", "it threw SomeException: of step 2");
        faults.report("coder", "acme/x", "it threw OtherException: of step 3");
        assertThat(log.list).hasSize(2);

        now = now.plus(StepFaults.QUIET);
        faults.report("coder", "acme/x", "it threw SomeException: of step 4");
        assertThat(log.list).hasSize(3);
        assertThat(faults.total()).isEqualTo(4);
        assertThat(faults.counts()).containsExactly(Map.entry("acme/x", 4L));
    }
}
