package dev.toolfleet.loading;

import java.time.Duration;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class RetriesTest {
    private long now;
    private final Retries retries = new Retries(() -> now);

    @Test
    void whatFailsIsTriedEverMoreRarelyAndStillTwiceAMinute() {
        int tries = 0;
        for (int second = 0; second < 60; second++)
            tries += due(true) ? 1 : 0;
        assertThat(tries).isBetween(5, 7);

        tries = 0;
        for (int second = 0; second < 60; second++)
            tries += due(true) ? 1 : 0;
        assertThat(tries).isEqualTo(2);
    }

    @Test
    void aNewTroubleIsTriedAtOnce() {
        for (int second = 0; second < 60; second++)
            due(true);

        assertThat(due(false)).isFalse();
        assertThat(due(true)).isTrue();
    }

    @Test
    void whileOneIsUnderWayNoneIsDueAndThePauseBeginsAtItsEnd() {
        assertThat(retries.isDue(true)).isTrue();
        for (int second = 0; second < 60; second++) {
            now += Duration.ofSeconds(1).toNanos();
            assertThat(retries.isDue(true)).isFalse();
        }

        retries.once(() -> now += Duration.ofMinutes(1).toNanos());
        assertThat(retries.isDue(true)).isFalse();
        now += Retries.FIRST.toNanos();
        assertThat(retries.isDue(true)).isTrue();
    }

    @Test
    void oneThatFailedIsOverToo() {
        assertThat(retries.isDue(true)).isTrue();
        assertThatThrownBy(() -> retries.once(() -> {
            throw new IllegalStateException("no file");
        })).hasMessage("no file");

        assertThat(due(true)).isTrue();
    }

    private boolean due(boolean troubled) {
        now += Duration.ofSeconds(1).toNanos();
        boolean due = retries.isDue(troubled);
        if (due)
            retries.once(() -> {});
        return due;
    }
}
