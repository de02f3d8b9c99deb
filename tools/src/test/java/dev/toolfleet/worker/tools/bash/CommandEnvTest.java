package dev.toolfleet.worker.tools.bash;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;

import dev.toolfleet.tool.ToolException;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class CommandEnvTest {
    private static final Map<String, String> WORKER = Map.of("PATH", "/bin", "LC_ALL", "C", "KAFKA_PASSWORD", "secret",
            "MINE", "m");

    @Test
    void onlyTheUsualVariablesAreInherited() {
        assertThat(CommandEnv.of(WORKER, false, Set.of(), Map.of())).isEqualTo(Map.of("PATH", "/bin", "LC_ALL", "C"));
        assertThat(CommandEnv.of(WORKER, false, Set.of("MINE"), Map.of("PATH", "/x")))
                .isEqualTo(Map.of("PATH", "/x", "LC_ALL", "C", "MINE", "m"));
    }

    @Test
    void behindWallsNothingOfTheWorkersFoldersAndUserIsInherited() {
        Map<String, String> worker = Map.of("PATH", "/opt/secret/bin", "HOME", "/root", "USER", "root", "LC_ALL", "C",
                "TZ", "Asia/Seoul", "MINE", "m");

        assertThat(CommandEnv.of(worker, true, Set.of("MINE"), Map.of("A", "1")))
                .isEqualTo(Map.of("LC_ALL", "C", "TZ", "Asia/Seoul", "MINE", "m", "A", "1"));
    }

    @Test
    void aNameThatIsNoneIsRefused() {
        for (String name : List.of("A=B", "", "a-b", "1A", "BASH_FUNC_stat%%"))
            assertThatThrownBy(() -> CommandEnv.of(WORKER, false, Set.of(), Map.of(name, "x")))
                    .isInstanceOf(ToolException.class).hasMessageContaining("env." + name + " is not a variable");
        Map<String, String> worker = Map.of("BASH_FUNC_which%%", "() { x; }");
        assertThat(CommandEnv.of(worker, false, Set.of("BASH_FUNC_which%%"), Map.of())).isEmpty();
    }

    @Test
    void theOwnTimerEndsBeforeTheDeadline() {
        assertThat(BashModule.timeout(30_000, Duration.ofMinutes(10))).isEqualTo(Duration.ofSeconds(30));
        assertThat(BashModule.timeout(30_000, Duration.ofSeconds(30))).isEqualTo(Duration.ofMillis(26_500));
        assertThat(BashModule.timeout(30_000, Duration.ofSeconds(4))).isEqualTo(Duration.ofSeconds(3));
        assertThat(BashModule.timeout(0, Duration.ofSeconds(60))).isEqualTo(Duration.ofMillis(56_500));
        assertThat(BashModule.timeout(-1, Duration.ofSeconds(-5))).isEqualTo(Duration.ZERO);
    }

    @Test
    void exitStatusesAbove128AreSignalsWhereTheyNameOne() {
        assertThat(CommandEnd.signal(137, false)).isEqualTo("SIGKILL");
        assertThat(CommandEnd.signal(143, false)).isEqualTo("SIGTERM");
        assertThat(CommandEnd.signal(0, true)).isNull();
        assertThat(CommandEnd.signal(255, true)).isNull();
        assertThat(CommandEnd.signal(130, true)).isEqualTo("SIGINT");
        for (int own : new int[]{129, 130, 131, 133, 138, 140, 142, 144, 152, 159})
            assertThat(CommandEnd.signal(own, false)).as("exit %d", own).isNull();
    }
}
