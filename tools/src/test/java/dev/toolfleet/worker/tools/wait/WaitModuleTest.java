package dev.toolfleet.worker.tools.wait;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

import dev.toolfleet.testkit.FakeToolContext;
import dev.toolfleet.worker.runtime.builtin.DeclaredTool;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class WaitModuleTest {
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    private final List<Duration> slept = new ArrayList<>();
    private Instant now = START;
    private final DeclaredTool wait = new DeclaredTool("wait", new WaitModule(() -> now, time -> {
        slept.add(time);
        now = now.plus(time);
    }));

    @Test
    void itWaitsAsLongAsItIsAskedTo() throws Exception {
        assertThat(wait.call("seconds", "{'seconds': 300}", until(310)).toString())
                .isEqualTo("{\"waitedSeconds\":300,\"waitedMs\":300000,\"completed\":true}");
        assertThat(wait.call("seconds", "{'seconds': 1.2346}", until(310)).toString())
                .isEqualTo("{\"waitedSeconds\":1.2346,\"waitedMs\":1235,\"completed\":true}");
        assertThat(wait.call("seconds", "{'seconds': 0}", until(310)).path("waitedMs").asInt()).isZero();
        assertThat(slept).containsExactly(Duration.ofMinutes(5), Duration.ofMillis(1235), Duration.ZERO);
    }

    @Test
    void itEndsBeforeTheDeadlineAndSaysSo() throws Exception {
        assertThat(wait.call("seconds", "{'seconds': 60}", until(10)).toString())
                .isEqualTo("{\"waitedSeconds\":9.5,\"waitedMs\":9500,\"completed\":false}");
        assertThat(wait.call("seconds", "{'seconds': 60}", until(0)).path("waitedMs").asInt()).isZero();
    }

    @Test
    void whatIsNoTimeToWaitIsRefused() throws Exception {
        assertThat(message("{}")).isEqualTo("'seconds' must be a finite number");
        assertThat(message("{'seconds': '1'}")).isEqualTo("'seconds' must be a finite number");
        assertThat(message("{'seconds': 1e999}")).isEqualTo("'seconds' must be a finite number");
        assertThat(message("{'seconds': -0.5}")).isEqualTo("'seconds' must be greater than or equal to 0");
        assertThat(message("{'seconds': 301}")).isEqualTo("'seconds' must be less than or equal to 300");
        assertThat(slept).isEmpty();
    }

    private String message(String json) throws Exception {
        return String.valueOf(wait.failure("seconds", json).getMessage());
    }

    private FakeToolContext until(long seconds) {
        return FakeToolContext.in(Path.of(".")).deadline(now.plusSeconds(seconds));
    }
}
