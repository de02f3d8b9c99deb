package dev.toolfleet.bench.compare;

import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class EngineOptionsTest {
    @Test
    void anotherCollectorReplacesTheUsualOne() {
        assertThat(flags()).contains("-XX:+UseG1GC");
        assertThat(flags("-Xmx256m")).contains("-XX:+UseG1GC").endsWith("-Xmx256m");
        assertThat(flags("-XX:+UseParallelGC")).contains("-XX:+UseParallelGC").doesNotContain("-XX:+UseG1GC");
    }

    @Test
    void whatIsNoFlagIsNamed() {
        assertThatThrownBy(() -> flags("Xmx256m")).hasMessageContaining("'Xmx256m'");
    }

    private static List<String> flags(String... jvm) {
        return new EngineOptions(List.of(jvm), Map.of(), 0).flags();
    }
}
