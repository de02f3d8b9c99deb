package dev.toolfleet.client;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class TimeoutsTest {
    @Test
    void aLimitThatNoClockReachesIsNone() {
        AtomicBoolean expired = new AtomicBoolean();
        CompletableFuture<Void> waits = new CompletableFuture<>();
        try (Timeouts timeouts = new Timeouts("test-timeouts")) {
            timeouts.start(waits, Duration.ofSeconds(Long.MAX_VALUE), () -> expired.set(true));
            waits.complete(null);
        }
        assertThat(expired).isFalse();
    }
}
