package dev.toolfleet.worker.app;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;

import dev.toolfleet.worker.tools.selfrestart.Restarts.Answer;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class RestartSwitchTest {
    private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - 5);
    private final RestartSwitch restarts = new RestartSwitch(Duration.ofMinutes(5), now::get);

    @Test
    void whoeverNobodyAttendsIsNotRestarted() {
        now.addAndGet(Duration.ofMinutes(6).toNanos());

        assertThat(restarts.request("why")).isEqualTo(new Answer.Unattended());
        assertThat(restarts.attend()).isNotDone();
    }

    @Test
    void aProcessThatHasJustStartedRefusesAndSaysForHowLong() {
        CompletableFuture<String> requested = restarts.attend();
        now.addAndGet(Duration.ofMinutes(2).toNanos());

        assertThat(restarts.request("why")).isEqualTo(new Answer.TooSoon(Duration.ofMinutes(3)));
        assertThat(requested).isNotDone();
    }

    @Test
    void requestsWhileOneIsUnderWayAreTheSameRestart() {
        CompletableFuture<String> requested = restarts.attend();
        now.addAndGet(Duration.ofMinutes(5).toNanos());

        assertThat(restarts.request("first")).isEqualTo(new Answer.Begins());
        assertThat(restarts.request("second")).isEqualTo(new Answer.Begins());
        assertThat(requested).isCompletedWithValue("first");
    }
}
