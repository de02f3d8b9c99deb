package dev.toolfleet.worker.sandbox;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class LastShellTest {
    private static final String MARK = "1a2b3c4d-0000-0000-0000-000000000000";
    private static final Path HERE = Path.of("/w");

    @Test
    void noProgramBeforeTheLastSeesANameOfTheCall() {
        LastShell shell = LastShell.of(Map.of("LD_PRELOAD", "/w/evil.so", "ENV", "/w/rc"), MARK);

        assertThat(shell.carried()).isEqualTo(Map.of("v1a2b3c4d_0", "/w/rc", "v1a2b3c4d_1", "/w/evil.so"));
    }

    @Test
    void noValueStandsOnTheCommandLine() {
        LastShell shell = LastShell.of(Map.of("TOKEN", "hunter2"), MARK);

        assertThat(shell.line(List.of("run"), "/w", "1:2")).noneMatch(part -> part.contains("hunter2"))
                .endsWith("/w", "1:2", "run");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "1A", "a-b", "A;id", "BASH_FUNC_stat%%", "A=B", "$(id)"})
    void aNameThatAShellCouldReadAsAnythingElseIsRefused(String name) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new ConfinedProgram(List.of("run"), HERE, HERE, Map.of(name, "x")));
    }
}
