package dev.toolfleet.cli.command;

import java.util.List;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ReadinessLogTest {
    @Test
    void onlyChangesAreNews() {
        ReadinessLog log = new ReadinessLog("worker");

        assertThat(log.look(List.of("it is not in its group"))).isTrue();
        assertThat(log.look(List.of("it is not in its group"))).isFalse();
        assertThat(log.look(List.of())).isTrue();
        assertThat(log.look(List.of())).isFalse();
        assertThat(log.look(List.of("nothing can be committed"))).isTrue();
        assertThat(log.look(List.of("nothing can be committed", "it is not in its group"))).isTrue();
    }
}
