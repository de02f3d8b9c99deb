package dev.toolfleet.client;

import java.time.Duration;
import java.time.Instant;

import dev.toolfleet.wire.PendingCall;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class HandleHistoryTest {
    private static final Instant NOW = Instant.parse("2030-01-01T00:00:00Z");

    private final HandleHistory history = new HandleHistory();
    private final PendingCall first = PendingCalls.at(0, 1, "h", NOW);
    private final PendingCall second = PendingCalls.at(0, 2, "h", NOW);

    @Test
    void anUnknownHandleHasNoHolder() {
        history.ended(NOW);

        assertThat(history.holder()).isEmpty();
    }

    @Test
    void theFirstCallKeepsTheHandle() {
        history.pending(first, NOW);
        history.pending(second, NOW);

        assertThat(history.holder()).contains(first);
        assertThat(history.endedAt()).isEmpty();
    }

    @Test
    void theEndThatCountsIsTheFirst() {
        history.pending(first, NOW);
        history.ended(NOW.plusSeconds(1));
        history.pending(first, NOW.plusSeconds(2));
        history.ended(NOW.plusSeconds(3));

        assertThat(history.endedAt()).contains(NOW.plusSeconds(1));
    }

    @Test
    void aCallThatComesWithinSevenDaysOfTheEndDoesNotGetTheHandle() {
        history.pending(first, NOW);
        history.ended(NOW);
        history.pending(second, NOW.plus(Duration.ofDays(7)));
        history.ended(NOW.plus(Duration.ofDays(7)));

        assertThat(history.holder()).contains(first);
        assertThat(history.endedAt()).contains(NOW);
    }

    @Test
    void afterSevenDaysAnotherCallMayHaveTheHandle() {
        history.pending(first, NOW);
        history.ended(NOW);
        history.pending(second, NOW.plus(Duration.ofDays(7)).plusMillis(1));

        assertThat(history.holder()).contains(second);
        assertThat(history.endedAt()).isEmpty();
    }
}
